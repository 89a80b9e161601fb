"use strict";
// Watches one session by its view id: the event stream tells what happened, the
// picture is asked for after each event.

const el = (id) => document.getElementById(id);
const BARS = 120; // updates shown
let stop = null; // ends the present stream

function headers() {
  const h = { Accept: "application/json" };
  if (el("token").value) h.Authorization = "Bearer " + el("token").value;
  return h;
}

function status(text, kind) {
  el("status").textContent = text;
  el("status").className = kind || "";
}

async function get(path, signal) {
  const r = await fetch(path, { headers: headers(), signal });
  if (!r.ok) {
    const e = await r.json().catch(() => ({ message: r.statusText }));
    throw new Error(e.message);
  }
  return r;
}

// Agents' bars.
function makeAgents(names) {
  el("agents").replaceChildren();
  return names.map((name) => {
    const box = document.createElement("div");
    box.className = "agent";
    const head = document.createElement("header");
    const title = document.createElement("b");
    title.textContent = name;
    const learner = document.createElement("span");
    learner.className = "sum learner";
    const team = document.createElement("span");
    team.className = "sum team";
    head.append(title, learner, team);
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "rewards of " + name + " over time");
    const notes = document.createElement("div");
    box.append(head, canvas, notes);
    el("agents").append(box);
    return { box, title, learner, team, canvas, notes, bars: [], sums: [0, 0] };
  });
}

function draw(a) {
  const scale = window.devicePixelRatio || 1;
  const w = (a.canvas.width = a.canvas.clientWidth * scale);
  const h = (a.canvas.height = a.canvas.clientHeight * scale);
  const g = a.canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const top = Math.max(1e-9, ...a.bars.flat().map(Math.abs));
  const low = a.bars.flat().some((v) => v < 0);
  const zero = low ? h / 2 : h - 1;
  const room = low ? h / 2 - 2 : h - 3;
  const step = w / BARS;
  g.fillStyle = style.getPropertyValue("--line");
  g.fillRect(0, zero, w, scale);
  a.bars.forEach((pair, i) => {
    const x = w - (a.bars.length - i) * step;
    pair.forEach((v, k) => {
      g.fillStyle = style.getPropertyValue(k ? "--team" : "--learner");
      const size = (Math.abs(v) / top) * room;
      g.fillRect(x + (k * step) / 2, v < 0 ? zero : zero - size, Math.max(1, step / 2 - 0.5), size);
    });
  });
}

function show(agents, e) {
  el("episode").textContent = e.episode < 0 ? "—" : e.episode;
  el("step").textContent = e.step;
  agents.forEach((a, i) => {
    if (e.steps > 0) {
      a.bars.push([e.reward_sum[i], e.team_sum[i]]);
      a.sums[0] += e.reward_sum[i];
      a.sums[1] += e.team_sum[i];
    }
    if (a.bars.length > BARS) a.bars.shift();
    a.learner.textContent = "learner " + a.sums[0].toFixed(2);
    a.team.textContent = "team " + a.sums[1].toFixed(2);
    a.box.classList.toggle("ended", e.flags[i] !== "");
    a.title.dataset.flag = e.flags[i];
    draw(a);
  });
  agents.forEach((a) => a.notes.replaceChildren());
  for (const n of e.notes || []) {
    const p = document.createElement("p");
    p.className = "note";
    p.textContent = n.kind + ": " + n.text;
    agents.find((a) => a.title.textContent === n.agent).notes.append(p);
  }
  el("hint").hidden = e.episode >= 0;
  el("words").hidden = !e.text;
  el("text").textContent = e.text;
}

async function picture(base, row, signal) {
  const r = await get(base + "/render?format=png&row=" + row, signal);
  const url = URL.createObjectURL(await r.blob());
  const img = el("picture");
  const old = img.src;
  img.src = url;
  img.hidden = false;
  await img.decode();
  img.classList.toggle("fine", img.naturalWidth > 300); // boards are small and of squares
  if (old) URL.revokeObjectURL(old);
}

// events yields the parsed events of a server-sent stream.
async function* events(path, signal) {
  const r = await get(path, signal);
  const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    let end;
    while ((end = buffer.indexOf("\n\n")) >= 0) {
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      if (block.startsWith("event: end")) return;
      if (block.startsWith("data: ")) yield JSON.parse(block.slice(6));
    }
  }
}

async function watch(view, row) {
  if (stop) stop.abort();
  const mine = (stop = new AbortController());
  const base = "/v1/sessions/" + encodeURIComponent(view);
  el("picture").hidden = el("words").hidden = true;
  try {
    status("connecting …");
    const s = await (await get(base, mine.signal)).json();
    el("env").textContent = s.env;
    el("scheme").textContent = s.reward.scheme;
    el("row").max = s.num_envs - 1;
    const agents = makeAgents(s.spec.agents);
    const draws = s.spec.abilities.includes("draw");
    el("words").open = !draws || s.spec.info.includes("round"); // what agents say is in words alone
    let drawing = false;
    status("live", "live");
    for await (const e of events(base + "/events?row=" + row, mine.signal)) {
      show(agents, e);
      if (draws && !drawing && e.episode >= 0) {
        drawing = true;
        picture(base, row, mine.signal).catch(() => {}).finally(() => (drawing = false));
      }
    }
    status("the session has ended");
  } catch (err) {
    if (!mine.signal.aborted) status(err.message, "failed");
  }
}

el("open").addEventListener("submit", (ev) => {
  ev.preventDefault();
  const view = el("view").value.trim();
  const row = el("row").value || "0";
  history.replaceState(null, "", "?view=" + encodeURIComponent(view) + "&row=" + row);
  watch(view, row);
});

const query = new URLSearchParams(location.search);
if (query.get("row")) el("row").value = query.get("row");
if (query.get("view")) {
  el("view").value = query.get("view");
  watch(query.get("view"), el("row").value);
}

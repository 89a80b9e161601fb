-- Views for reading; made anew whenever the format moves on.

CREATE VIEW v_votes AS
SELECT v.transition, v.agent,
       CASE v.agent WHEN -1 THEN 'team' ELSE json_extract(w.agents, '$[' || v.agent || ']') END AS agent_name,
       n.name AS annotator, v.query, v.vote, v.confidence, v.flipped, v.reason, a.truth, a.family,
       g.text AS guided, p.text AS plain, v.at
FROM votes v
JOIN annotators n ON n.id = v.annotator
JOIN transition_agents a USING (transition, agent)
JOIN worlds w
LEFT JOIN texts g ON g.id = a.guided_forward
LEFT JOIN texts p ON p.id = a.plain_forward;

CREATE VIEW v_confidence AS
SELECT v.transition, v.agent, n.name AS annotator,
       sum(vote <> 'invalid') AS valid, sum(vote = 'first') AS first, sum(vote = 'second') AS second,
       sum(vote = 'tie') AS tie, sum(vote = 'invalid') AS invalid, sum(flipped) AS flipped,
       (sum(vote = 'second') + 0.5 * sum(vote = 'tie')) / nullif(sum(vote <> 'invalid'), 0) AS confidence,
       avg(CASE WHEN vote <> 'invalid' THEN v.confidence END) AS mean_confidence,
       a.truth, a.family
FROM votes v
JOIN annotators n ON n.id = v.annotator
JOIN transition_agents a USING (transition, agent)
GROUP BY v.transition, v.agent, v.annotator;

CREATE VIEW v_requests AS
SELECT r.id, coalesce(l.transition, a.transition) AS transition, coalesce(l.agent, a.agent) AS agent,
       coalesce(l.query, r.query) AS query, v.name AS annotator, p.name AS prompt, r.status, r.answered,
       CAST(r.body AS TEXT) AS body, CAST(r.reply AS TEXT) AS reply,
       r.prompt_tokens, r.completion_tokens, r.cost, r.currency, r.at
FROM requests r
LEFT JOIN vote_requests l ON l.request = r.id
LEFT JOIN annotators v ON v.id = l.annotator
LEFT JOIN transition_agents a USING (question)
LEFT JOIN prompts p ON p.hash = r.prompt;

-- What each annotator's labelling has cost. Replies that were there already cost nothing.
CREATE VIEW v_costs AS
SELECT coalesce(n.name, '') AS annotator, count(*) AS requests, sum(r.answered) AS answered,
       sum(r.prompt_tokens) AS prompt_tokens, sum(r.completion_tokens) AS completion_tokens,
       sum(r.cost) AS cost, r.currency
FROM requests r LEFT JOIN annotators n ON n.id = r.annotator
GROUP BY n.id, r.currency;

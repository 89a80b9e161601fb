"""A team of model agents."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import marlpit
from marlpit.errors import Invalid
from marlpit.llm import _prompts
from marlpit.llm._actions import BadAction, parse_action
from marlpit.llm._models import Endpoint, Model
from marlpit.llm._play import Episode, play
from marlpit.llm._transcript import Transcript

MOST_PROPOSAL = 16 << 10  # bytes that the wire takes


class Team:
    """Model agents that act together: all are asked at once, each sees what the world tells it, and nothing else.

    ```python
    team = marlpit.llm.Team(marlpit.llm.Model("qwen3", "http://127.0.0.1:8080"), transcript="talk.jsonl")
    env = marlpit.parallel_env("phone-v1", text=True, template="contacts-add")
    print(team.play(env, seed=0).success)
    ```

    In an event loop of one's own, `marlpit.llm.play` takes a team as its policy, inside of ``async with team:``.

    Attributes:
        models: One for each agent, repeated from the start where there are fewer.
        roles: ``"none"``, or ``"planner-executor-checker"``: agents take these parts in turn.
        history: Executed actions that are told, the latest. There is no other memory.
    """

    def __init__(
        self,
        models: Model | Sequence[Model],
        *,
        roles: str = "none",
        history: int = 10,
        transcript: Any = None,
    ) -> None:
        """Takes the models; asks nothing yet.

        Args:
            models: One for all, or one for each agent.
            roles: See above.
            history: See above.
            transcript: File that every exchange is added to, a JSON object a line, before its answer is used; None: none is kept.

        Raises:
            Invalid: There is no model, or no such roles.
            MarlpitError: The package `openai` isn't there.
        """
        self.models = [models] if isinstance(models, Model) else list(models)
        if not self.models:
            raise Invalid("a team has at least one model", "invalid")
        _prompts.role_of(roles, 0)
        self.roles = roles
        self.history = history
        self._transcript = None if transcript is None else Transcript(transcript)
        self._endpoints: dict[Model, Endpoint] = {}

    def play(self, env: marlpit.ParallelEnv, seed: int) -> Episode:
        """Plays one episode.

        Args:
            env: Made with ``text=True``.
            seed: The environment is reset with.

        Returns:
            What came of it.

        Raises:
            EndpointFailed: A model gave no answer.
        """

        async def whole() -> Episode:
            async with self:
                return await play(env, self, seed)

        return asyncio.run(whole())

    async def __aenter__(self) -> Team:
        """Opens connections for the running event loop."""
        self._endpoints = {m: Endpoint(m) for m in dict.fromkeys(self.models)}
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        """Closes them."""
        endpoints, self._endpoints = self._endpoints, {}
        for e in endpoints.values():
            await e.close()

    def begin(self, env: marlpit.ParallelEnv, episode: Episode, infos: dict[str, dict[str, Any]]) -> None:
        """Begins an episode: agents have no memory but what the world tells them."""

    async def step(self, env: marlpit.ParallelEnv, episode: Episode) -> Any:
        """Asks all agents at once, and has the environment play what they propose."""
        asked = [self._ask(env.observation(a), a, i, env, episode) for i, a in enumerate(env.possible_agents) if a in env.agents]
        proposals = {}
        for said in await asyncio.gather(*asked, return_exceptions=True):  # one that fails leaves the others' answers on disk
            if isinstance(said, BaseException):
                raise said
            agent, proposal = said
            proposals[agent] = proposal
        return env.propose(proposals)

    async def _ask(
        self, observation: dict[str, Any], agent: str, i: int, env: marlpit.ParallelEnv, episode: Episode
    ) -> tuple[str, Any]:
        """Asks one agent; once more where its reply is no action. What is none then either is proposed as it is, and wasted."""
        role = _prompts.role_of(self.roles, i)
        messages = [
            {"role": "system", "content": _prompts.system(agent, len(env.possible_agents), role)},
            {"role": "user", "content": _prompts.situation(observation, self.history)},
        ]
        endpoint = self._endpoints[self.models[i % len(self.models)]]
        number = episode.seed * 1_000_003 + episode.steps * 997 + i * 7
        text = ""
        for attempt in range(2):
            answer = await endpoint.ask(messages, (number + attempt) % 2**31)
            text = answer.text
            problem = "" if answer.finish != "length" else "the reply was too long and was cut off"
            action: dict[str, Any] | None = None
            try:
                action = None if problem else parse_action(text, observation)
            except BadAction as e:
                problem = str(e)
            episode.calls += 1
            episode.prompt_tokens += answer.prompt_tokens
            episode.completion_tokens += answer.completion_tokens
            self._keep(env, episode, agent, endpoint.model, messages, answer, attempt, problem)
            if action is not None:
                return agent, action
            if attempt == 0:
                episode.retried += 1
                messages += [{"role": "assistant", "content": text}, {"role": "user", "content": _prompts.again(problem)}]
        return agent, text.encode()[: MOST_PROPOSAL - 8].decode(errors="ignore")

    def _keep(
        self, env: marlpit.ParallelEnv, episode: Episode, agent: str, model: Model, messages: list[dict[str, str]],
        answer: Any, attempt: int, problem: str,
    ) -> None:  # fmt: skip
        if self._transcript is not None:
            self._transcript.add(
                world=env.spec["id"], seed=episode.seed, step=episode.steps, agent=agent, attempt=attempt,
                prompt=_prompts.VERSION, model=model.model, base_url=model.base_url, temperature=model.temperature,
                messages=messages, reply=answer.text, finish=answer.finish, problem=problem,
                prompt_tokens=answer.prompt_tokens, completion_tokens=answer.completion_tokens,
                seconds=round(answer.seconds, 4),
            )  # fmt: skip

"""Step a world as any PettingZoo environment, with random legal moves."""

import marlpit

env = marlpit.parallel_env("two-switch-v1", reward="team", render_mode="ansi")
observations, infos = env.reset(seed=0)
while env.agents:
    actions = {a: env.action_space(a).sample(infos[a]["action_mask"]) for a in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
print(env.render())
print("team reward of the last step:", infos["agent_0"]["team_reward"])
env.close()

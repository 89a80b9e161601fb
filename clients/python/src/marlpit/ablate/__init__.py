"""Comparing reward schemes with real learners: ``python -m marlpit ablate``.

docs/ablations.md tells the whole road. A scheme of one's own is a function that takes a `Context` and returns a reward, as
`vec_env` takes it, or a `Reward`:

```python
def mine(context):
    model = context.fit(critic="oracle", error_rate=0.4, queries=10)
    return Reward({"scheme": "credit", "scale": 1}, model=model)
```
"""

from marlpit.ablate._rewards import Context, Reward

__all__ = ["Context", "Reward"]

"""haversack: given a task and a token budget, what should the model read?"""

"""`haversack hook`: answers the hooks of coding agents. What stands here imports nothing heavy unless it packs."""

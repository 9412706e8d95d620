"""A corpus of Gristmill in chains of others: LangChain and LlamaIndex. Each part needs that library, and nothing else does."""

/** Ways to ask a channel in a test, in the family's words. */
export const endpointTypes = [
  'openai',
  'openai-response',
  'openai-response-compact',
  'anthropic',
  'gemini',
  'embeddings',
  'jina-rerank',
  'image-generation',
  'speech',
  'transcription',
  'moderation',
  'vendor-alpha-search',
] as const

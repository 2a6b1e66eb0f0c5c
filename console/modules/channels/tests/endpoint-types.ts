/** Endpoint types of a channel test, as the API names them. */
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

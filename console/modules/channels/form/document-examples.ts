/** What may stand in the documents of a channel, to begin with. */
export const documentExamples = {
  model_mapping: { 'gpt-4o': 'gpt-4o-2024-11-20' },
  param_override: {
    operations: [
      { mode: 'set', path: 'temperature', value: 0.7 },
      { mode: 'delete', path: 'top_p' },
    ],
  },
  header_override: { 'X-Team': 'research', Authorization: 'Bearer {api_key}' },
  cost_models: {
    'gpt-4o': { model_ratio: '1', completion_ratio: '4', cache_ratio: '0.5' },
    'gpt-image-1': { model_price: '0.03' },
  },
  status_code_mapping: { '404': 503 },
} as const

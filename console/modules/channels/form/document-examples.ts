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
  status_code_mapping: { '404': 503 },
} as const

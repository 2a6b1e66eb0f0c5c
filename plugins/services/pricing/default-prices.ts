/**
 * List prices of well-known models, USD per million tokens, as their makers published them up to November 2025 for
 * standard processing and short prompts. They are written into the options at the first start and belong to the
 * operator from then on: a later version of this file changes no running installation.
 */

/** `input/output`, then what differs from the defaults of the price table. */
export interface ListPrice {
  readonly models: readonly string[]
  readonly input: string
  /** Absent: nothing comes out that is counted, e.g. embeddings. */
  readonly output?: string
  readonly cacheRead?: string
  readonly cacheWrite?: string
  readonly imageInput?: string
  readonly audioInput?: string
  readonly audioOutput?: string
}

/** USD per request, or per picture times its factor of size and quality. */
export const defaultModelPrices = {
  'dall-e': 0.02,
  'dall-e-2': 0.02,
  'dall-e-3': 0.04,
} as const

/** USD per 1,000 calls of tools the upstream runs itself. */
export const defaultToolPrices = {
  web_search: 10,
  web_search_preview: 10,
  'web_search_preview:gpt-4o*': 25,
  'web_search_preview:gpt-4.1*': 25,
  file_search: 2.5,
  google_search: 14,
  image_generation: 150,
} as const

const list = (
  models: string,
  price: string,
  more: Omit<ListPrice, 'models' | 'input' | 'output'> = {},
): ListPrice => {
  const [input = '', output] = price.split('/')
  return { models: models.split(' '), input, output, ...more }
}

export const listPrices: readonly ListPrice[] = [
  // openai.com/api/pricing
  list('gpt-5.1 gpt-5.1-chat-latest gpt-5.1-codex', '1.25/10', { cacheRead: '0.125' }),
  list('gpt-5.1-codex-mini', '0.25/2', { cacheRead: '0.025' }),
  list('gpt-5 gpt-5-2025-08-07 gpt-5-chat-latest gpt-5-codex gpt-5-search-api', '1.25/10', {
    cacheRead: '0.125',
  }),
  list('gpt-5-mini gpt-5-mini-2025-08-07', '0.25/2', { cacheRead: '0.025' }),
  list('gpt-5-nano gpt-5-nano-2025-08-07', '0.05/0.4', { cacheRead: '0.005' }),
  list('gpt-5-pro', '15/120'),
  list('gpt-4.1 gpt-4.1-2025-04-14', '2/8', { cacheRead: '0.5' }),
  list('gpt-4.1-mini gpt-4.1-mini-2025-04-14', '0.4/1.6', { cacheRead: '0.1' }),
  list('gpt-4.1-nano gpt-4.1-nano-2025-04-14', '0.1/0.4', { cacheRead: '0.025' }),
  list('gpt-4o gpt-4o-2024-08-06 gpt-4o-2024-11-20', '2.5/10', { cacheRead: '1.25' }),
  list('gpt-4o-2024-05-13 chatgpt-4o-latest', '5/15'),
  list('gpt-4o-mini gpt-4o-mini-2024-07-18', '0.15/0.6', { cacheRead: '0.075' }),
  list('gpt-4o-search-preview', '2.5/10'),
  list('gpt-4o-mini-search-preview', '0.15/0.6'),
  list('gpt-4o-audio-preview', '2.5/10', { audioInput: '40', audioOutput: '80' }),
  list('gpt-4o-mini-audio-preview', '0.15/0.6', { audioInput: '10', audioOutput: '20' }),
  list('gpt-audio', '2.5/10', { audioInput: '32', audioOutput: '64' }),
  list('gpt-realtime', '4/16', { cacheRead: '0.4', audioInput: '32', audioOutput: '64' }),
  list('o1 o1-2024-12-17', '15/60', { cacheRead: '7.5' }),
  list('o1-mini', '1.1/4.4', { cacheRead: '0.55' }),
  list('o1-pro', '150/600'),
  list('o3 o3-2025-04-16', '2/8', { cacheRead: '0.5' }),
  list('o3-pro', '20/80'),
  list('o3-deep-research', '10/40', { cacheRead: '2.5' }),
  list('o3-mini o3-mini-2025-01-31', '1.1/4.4', { cacheRead: '0.55' }),
  list('o4-mini o4-mini-2025-04-16', '1.1/4.4', { cacheRead: '0.275' }),
  list('o4-mini-deep-research', '2/8', { cacheRead: '0.5' }),
  list('gpt-4-turbo gpt-4-turbo-2024-04-09', '10/30'),
  list('gpt-4 gpt-4-0613', '30/60'),
  list('gpt-3.5-turbo gpt-3.5-turbo-0125', '0.5/1.5'),
  list('gpt-3.5-turbo-instruct', '1.5/2'),
  list('gpt-image-1', '5/40', { cacheRead: '1.25', imageInput: '10' }),
  list('gpt-image-1-mini', '2/8', { cacheRead: '0.2', imageInput: '2.5' }),
  // A minute of sound is 1,000 tokens, a character to be spoken one: see the operations' own notes.
  list('whisper-1', '6'),
  list('gpt-4o-transcribe', '2.5/10', { audioInput: '6' }),
  list('gpt-4o-mini-transcribe', '1.25/5', { audioInput: '3' }),
  list('tts-1', '15'),
  list('tts-1-hd', '30'),
  list('gpt-4o-mini-tts', '0.6', { audioInput: '0.6', audioOutput: '12' }),
  list('text-embedding-3-small', '0.02'),
  list('text-embedding-3-large', '0.13'),
  list('text-embedding-ada-002', '0.1'),
  // Free of charge.
  list(
    'omni-moderation-latest omni-moderation-2024-09-26 text-moderation-latest text-moderation-stable',
    '0',
  ),

  // docs.claude.com, models and pricing
  list('claude-opus-4-5 claude-opus-4-5-20251101', '5/25', {
    cacheRead: '0.5',
    cacheWrite: '6.25',
  }),
  list(
    'claude-opus-4-1 claude-opus-4-1-20250805 claude-opus-4-0 claude-opus-4-20250514 claude-3-opus-20240229',
    '15/75',
    { cacheRead: '1.5', cacheWrite: '18.75' },
  ),
  list(
    'claude-sonnet-4-5 claude-sonnet-4-5-20250929 claude-sonnet-4-0 claude-sonnet-4-20250514 claude-3-7-sonnet-latest claude-3-7-sonnet-20250219 claude-3-5-sonnet-20241022 claude-3-5-sonnet-20240620',
    '3/15',
    { cacheRead: '0.3', cacheWrite: '3.75' },
  ),
  list('claude-haiku-4-5 claude-haiku-4-5-20251001', '1/5', {
    cacheRead: '0.1',
    cacheWrite: '1.25',
  }),
  list('claude-3-5-haiku-latest claude-3-5-haiku-20241022', '0.8/4', {
    cacheRead: '0.08',
    cacheWrite: '1',
  }),
  list('claude-3-haiku-20240307', '0.25/1.25', { cacheRead: '0.03', cacheWrite: '0.3' }),

  // ai.google.dev/gemini-api/docs/pricing; prompts up to 200,000 tokens
  list('gemini-3-pro-preview', '2/12', { cacheRead: '0.2' }),
  list('gemini-2.5-pro', '1.25/10', { cacheRead: '0.125' }),
  list('gemini-2.5-flash', '0.3/2.5', { cacheRead: '0.03', audioInput: '1' }),
  list('gemini-2.5-flash-lite', '0.1/0.4', { cacheRead: '0.01', audioInput: '0.3' }),
  list('gemini-2.5-flash-image', '0.3/30'),
  list('gemini-2.0-flash gemini-2.0-flash-001', '0.1/0.4', {
    cacheRead: '0.025',
    audioInput: '0.7',
  }),
  list('gemini-2.0-flash-lite', '0.075/0.3'),
  list('gemini-embedding-001', '0.15'),

  // api-docs.deepseek.com
  list('deepseek-chat deepseek-reasoner', '0.28/0.42', { cacheRead: '0.028' }),

  // platform.moonshot.ai
  list('kimi-k2-0905-preview kimi-k2-0711-preview kimi-k2-thinking', '0.6/2.5', {
    cacheRead: '0.15',
  }),
  list('kimi-k2-turbo-preview kimi-k2-thinking-turbo', '1.15/8', { cacheRead: '0.15' }),
  list('moonshot-v1-8k', '0.2/2'),
  list('moonshot-v1-32k', '1/3'),
  list('moonshot-v1-128k', '2/5'),

  // alibabacloud.com/help/en/model-studio, international; lowest tier
  list('qwen3-max', '1.2/6'),
  list('qwen-max', '1.6/6.4'),
  list('qwen-plus', '0.4/1.2'),
  list('qwen-flash', '0.05/0.4'),
  list('qwen-turbo', '0.05/0.2'),
  list('qwen3-coder-plus', '1/5'),
  list('qwen3-coder-flash', '0.3/1.5'),
  list('qwen-vl-max', '0.8/3.2'),
  list('qwen-vl-plus', '0.21/0.63'),

  // docs.z.ai
  list('glm-4.6 glm-4.5', '0.6/2.2', { cacheRead: '0.11' }),
  list('glm-4.5v', '0.6/1.8', { cacheRead: '0.11' }),
  list('glm-4.5-x', '2.2/8.9', { cacheRead: '0.45' }),
  list('glm-4.5-air', '0.2/1.1', { cacheRead: '0.03' }),
  list('glm-4.5-airx', '1.1/4.5', { cacheRead: '0.22' }),

  // docs.x.ai
  list('grok-4 grok-4-0709 grok-3', '3/15', { cacheRead: '0.75' }),
  list('grok-4-fast-reasoning grok-4-fast-non-reasoning', '0.2/0.5', { cacheRead: '0.05' }),
  list('grok-code-fast-1', '0.2/1.5', { cacheRead: '0.02' }),
  list('grok-3-mini', '0.3/0.5', { cacheRead: '0.075' }),
  list('grok-2-1212 grok-2-vision-1212', '2/10'),

  // mistral.ai/pricing
  list('mistral-large-2411 pixtral-large-2411', '2/6'),
  list('mistral-medium-latest mistral-medium-2508', '0.4/2'),
  list('mistral-small-latest mistral-small-2506', '0.1/0.3'),
  list('magistral-medium-latest', '2/5'),
  list('magistral-small-latest', '0.5/1.5'),
  list('codestral-latest codestral-2508', '0.3/0.9'),
  list('devstral-medium-latest', '0.4/2'),
  list('ministral-8b-latest', '0.1/0.1'),
  list('ministral-3b-latest', '0.04/0.04'),
  list('mistral-embed', '0.1'),
]

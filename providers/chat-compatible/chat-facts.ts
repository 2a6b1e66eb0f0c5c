/** What services that refuse members they do not know are known to refuse of a chat request. */
import type { ChatFacts } from '../../kernel/toolkit/vendors/index.js'
import type { UnheededFact } from './unheeded.js'

const read = '2026-11-27'

/** Only the format's maker stores answers, sets how long they are, and keeps its cache by a key. */
export const ofMaker = ['store', 'verbosity', 'prompt_cache_key', 'prompt_cache_retention'] as const

export const groq: ChatFacts = {
  efforts: [
    {
      models: /gpt-oss/,
      known: ['low', 'medium', 'high'],
      source: 'console.groq.com/docs/reasoning as told in github.com/BerriAI/litellm/issues/14163',
      read,
    },
    {
      models: /qwen/,
      known: ['none'],
      source: 'github.com/vercel/ai/pull/7731 (none or default)',
      read,
    },
    {
      known: [],
      source: 'github.com/HunorLaczko/ha-groq-cloud-api/pull/18 (no other model has one)',
      read,
    },
  ],
  members: [
    {
      members: ['logprobs', 'top_logprobs', 'logit_bias'],
      source: 'console.groq.com/docs/openai',
      read: '2026-11-22',
    },
    {
      members: ofMaker,
      source:
        "github.com/CherryHQ/cherry-studio/issues/11435 (property 'verbosity' is unsupported), github.com/fanenr/chatbot/issues/21 (store)",
      read,
    },
  ],
  messages: [
    { members: ['name'], source: 'console.groq.com/docs/openai', read: '2026-11-22' },
    {
      members: ['reasoning_content'],
      source: 'github.com/janhq/jan/issues/8136, github.com/tashfeenahmed/freellmapi/issues/1070',
      read,
    },
  ],
}

export const cerebras: ChatFacts = {
  members: [
    {
      members: ofMaker,
      source: 'github.com/proxysoul/Empryo/pull/209 (400 for members it does not know)',
      read,
    },
  ],
  renamed: [
    {
      from: 'reasoning_content',
      to: 'reasoning',
      source: 'github.com/QwenLM/qwen-code/issues/11045, github.com/proxysoul/Empryo/pull/209',
      read,
    },
  ],
}

export const fireworks: ChatFacts = {
  members: [
    {
      members: ['store', 'verbosity', 'prompt_cache_retention', 'safety_identifier'],
      source:
        'github.com/web-infra-dev/midscene/issues/1322 (Extra inputs are not permitted), github.com/BerriAI/litellm/pull/30844 (which it takes)',
      read,
    },
  ],
  system: {
    stands: 'alone',
    models: /qwen/i,
    source: 'github.com/BerriAI/litellm/pull/39852',
    read,
  },
}

export const nvidia: ChatFacts = {
  members: [
    {
      members: [...ofMaker, 'prompt_cache_options', 'safety_identifier'],
      source:
        'github.com/MoonshotAI/kimi-cli/issues/2534, github.com/sipeed/picoclaw/issues/1019 (extra_forbidden), github.com/tingly-dev/tingly-box/issues/1548',
      read,
    },
  ],
}

/** An application of somebody's: its model, its tools and the shape of its answers are its maker's choice. */
export const unheededByFastgpt: readonly UnheededFact[] = [
  {
    members: ['tools', 'functions'],
    source:
      'github.com/labring/FastGPT/issues/5877 (its maker: not supported, this is no relay), github.com/labring/FastGPT/issues/658',
    read,
  },
  {
    members: ['response_format', 'n', 'stop'],
    source:
      'github.com/labring/FastGPT (openapi/chat: fields such as model and temperature have no effect)',
    read,
  },
]

export const fastgpt: ChatFacts = {
  members: [
    {
      members: [
        'temperature',
        'top_p',
        'max_tokens',
        'max_completion_tokens',
        'presence_penalty',
        'frequency_penalty',
        'seed',
        'logprobs',
        'top_logprobs',
        'logit_bias',
        'reasoning_effort',
        'store',
        'verbosity',
        'parallel_tool_calls',
        'prompt_cache_key',
      ],
      source:
        'github.com/labring/FastGPT (openapi/chat: fields such as model and temperature have no effect)',
      read,
    },
  ],
}

export const together: ChatFacts = {
  efforts: [
    {
      models: /gpt-oss/,
      known: ['low', 'medium', 'high'],
      source: 'docs.together.ai/docs/inference/chat/reasoning',
      read,
    },
  ],
}

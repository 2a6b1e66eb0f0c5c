/** Servers an operator describes: by one address, or route by route with what is spoken at the other end. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { anthropic } from './anthropic.js'
import { isChat, noSystemTurns, refuses, rolesAre, rolesOfMessages } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

/** What such a server was seen to refuse. */
const fourRoles = rolesAre(['system', 'user', 'assistant', 'tool'], {
  of: isChat,
  source: 'github.com/QuantumNous/new-api/issues/6616',
  read,
})

export const custom: Vendor = {
  name: 'Custom',
  type: 8,
  path: '/api/v3/chat/completions',
  models: ['m-1'],
  rules: [fourRoles],
}

/** Clients' paths, with the word that stands for each in the name of a converter. */
const incoming = [
  ['/v1/chat/completions', 'openai_chat_completions'],
  ['/v1/messages', 'anthropic_messages'],
  ['/v1/responses', 'openai_responses'],
  ['/v1beta/models/{model}:generateContent', 'generative'],
] as const

/** Every client's path leads to one. */
function leadingTo(word: (typeof incoming)[number][1], upstream_path: string): JsonObject {
  const advanced_routes = incoming.map(([incoming_path, from]) => ({
    incoming_path,
    upstream_path,
    converter: from === word ? 'none' : `${from}_to_${word}`,
  }))
  return { routes: { advanced_routes } }
}

const behind = { type: 58, rules: [] } as const

export const routes: readonly Vendor[] = [
  {
    ...behind,
    name: 'Routes to chat',
    settings: leadingTo('openai_chat_completions', '/v1/chat/completions'),
    models: ['m-1'],
    rules: [fourRoles],
  },
  {
    ...behind,
    name: 'Routes to messages',
    settings: leadingTo('anthropic_messages', '/v1/messages'),
    models: anthropic.models,
    rules: anthropic.rules,
    takes: anthropic.takes!,
  },
  {
    ...behind,
    name: 'Routes to messages of another maker',
    settings: leadingTo('anthropic_messages', '/v1/messages'),
    models: ['m-1'],
    rules: [
      noSystemTurns(rolesOfMessages),
      refuses(['context_management'], {
        source:
          'github.com/anthropics/claude-code/issues/14135, github.com/decolua/9router/issues/1468',
        read,
      }),
    ],
  },
  {
    ...behind,
    name: 'Routes to responses',
    settings: leadingTo('openai_responses', '/v1/responses'),
    models: ['gpt-5.6-sol'],
    takes: ['client_metadata'],
  },
  {
    ...behind,
    name: 'Routes to Gemini',
    settings: leadingTo('generative', '/v1beta/models/{model}:generateContent'),
    models: ['gemini-3-pro'],
  },
]

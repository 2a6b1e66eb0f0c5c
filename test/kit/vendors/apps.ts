/** Apps that somebody built at a service: what they take besides a question, and how they answer one. */
import { readFileSync } from 'node:fs'
import { speak } from '../speaking/index.js'
import { events, type Script } from '../upstream.js'
import { isRecord, listIn, type VendorRule } from '../vendor.js'
import { knowsOnly, rule } from './rules.js'
import type { Vendor } from './vendor.js'

export interface App extends Vendor {
  readonly answer: Script
  /** What it says. */
  readonly text: RegExp
  /** By the name of the agent: what it says that an app does not heed. */
  readonly lost: Readonly<Record<string, readonly string[]>>
  /** How the shape of an answer is called where it is refused. */
  readonly shape: string
}

const ofResponses = ['reasoning', 'store', 'prompt_cache_key', 'client_metadata', 'include']
const ofAgents = {
  codex: [...ofResponses, 'text'],
  'codex with a model it does not know': ofResponses,
  'codex with tools inside its input': [...ofResponses, 'text'],
  'Claude Code': [
    ...['reasoning', 'limit', 'cache', 'context_management', 'thinking'],
    ...['output_config', 'turns.output_config'],
  ],
  'Gemini CLI': ['reasoning', 'sampling.temperature', 'sampling.topP', 'sampling.topK'],
}
/** They have instructions of their own, and those of a client are said by its user. */
const ofBots = Object.fromEntries(
  Object.entries(ofAgents).map(([name, lost]) => [name, [...lost, 'turns.system']]),
)

const recorded = (name: string): Script =>
  events(readFileSync(new URL(`../../fixtures/${name}.sse`, import.meta.url)))

/** The same where the chat format is spoken, by the names it has there. */
const ofCodex = ['client_metadata', 'include', 'store', 'prompt_cache_key']
const ofFields = {
  codex: [...ofCodex, 'reasoning_effort', 'verbosity'],
  'codex with a model it does not know': [...ofCodex, 'reasoning.summary'],
  'codex with tools inside its input': [...ofCodex, 'reasoning', 'reasoning_effort', 'verbosity'],
  'Claude Code': [
    ...['context_management', 'cache', 'turns.output_config'],
    ...['max_tokens', 'reasoning_effort'],
  ],
  'Gemini CLI': ['sampling.topK', 'temperature', 'top_p', 'reasoning_effort'],
}

const read = '2026-11-27'

const coze = { source: 'github.com/coze-dev/coze-py (cozepy/chat)', read }
const cozeRules: readonly VendorRule[] = [
  knowsOnly(
    [
      ...['bot_id', 'user_id', 'additional_messages', 'stream', 'custom_variables'],
      ...['auto_save_history', 'meta_data', 'parameters', 'enable_card', 'shortcut_command'],
    ],
    coze,
  ),
  rule('Messages are said by a user or an assistant, in texts', coze, (body) => {
    const messages = listIn(body, 'additional_messages')
    return messages.length === 0 || messages.some((message) => !isSaid(message))
  }),
  rule('bot_id and user_id are required', coze, ({ bot_id: bot, user_id: user }) => {
    return typeof bot !== 'string' || typeof user !== 'string' || user === ''
  }),
]

function isSaid({ role, type, content, content_type: kind }: Record<string, unknown>): boolean {
  const isOne = role === 'assistant' ? type === 'answer' : role === 'user' && type === 'question'
  return isOne && typeof content === 'string' && content !== '' && kind === 'text'
}

const run = { source: 'docs.coze.cn/developer_guides/workflow_stream_run', read }
const runRules: readonly VendorRule[] = [
  knowsOnly(
    ['workflow_id', 'parameters', 'bot_id', 'app_id', 'ext', 'workflow_version', 'connector_id'],
    run,
  ),
  rule('workflow_id and parameters are required', run, ({ workflow_id: id, parameters }) => {
    return typeof id !== 'string' || !isRecord(parameters) || typeof parameters.input !== 'string'
  }),
]

const template = 'github.com/langgenius/dify, web/app/components/develop/template'

function difyRules(members: readonly string[], page: string): readonly VendorRule[] {
  const about = { source: `${template}/${page}.en.mdx`, read }
  return [
    knowsOnly(['inputs', 'response_mode', 'user', 'files', ...members], about),
    rule(
      'inputs is an object, and user is required',
      about,
      ({ inputs, user, response_mode: mode }) => {
        return !isRecord(inputs) || typeof user !== 'string' || user === '' || mode !== 'streaming'
      },
    ),
    rule('the question is required', about, ({ inputs, query }) => {
      const asked = members.includes('query') ? query : isRecord(inputs) && inputs.query
      return typeof asked !== 'string' || asked === ''
    }),
  ]
}

const ofMessage = ['query', 'conversation_id', 'auto_generate_name']

export const apps: readonly App[] = [
  {
    name: 'Coze',
    type: 49,
    models: ['bot-738'],
    rules: cozeRules,
    answer: recorded('coze/answer'),
    text: /aus Bern/,
    lost: ofBots,
    shape: 'output',
  },
  {
    name: 'Coze’s workflows',
    type: 49,
    models: ['workflow-744'],
    rules: runRules,
    answer: recorded('coze/workflow'),
    text: /aus Bern/,
    lost: ofBots,
    shape: 'output',
  },
  {
    name: 'Dify',
    type: 37,
    models: ['app'],
    rules: difyRules(ofMessage, 'template_chat'),
    answer: recorded('dify/chatflow'),
    text: /aus Bern/,
    lost: ofAgents,
    shape: 'output',
  },
  {
    name: 'Dify’s workflows',
    type: 37,
    settings: { app: 'workflow' },
    models: ['app'],
    rules: difyRules([], 'template_workflow'),
    answer: recorded('dify/workflow'),
    text: /aus Bern/,
    lost: ofAgents,
    shape: 'output',
  },
  {
    name: 'Dify’s text generators',
    type: 37,
    settings: { app: 'completion' },
    models: ['app'],
    rules: difyRules([], 'template'),
    answer: recorded('dify/completion'),
    text: /glad/,
    lost: ofAgents,
    shape: 'output',
  },
  {
    name: 'FastGPT',
    type: 22,
    models: ['app'],
    rules: [],
    answer: speak({ text: 'Grüße aus Bern' }),
    text: /aus Bern/,
    lost: ofFields,
    shape: 'response_format',
  },
]

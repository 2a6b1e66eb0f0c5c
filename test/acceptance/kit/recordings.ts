/**
 * What an upstream of each format answers, recorded (test/fixtures), and what it states thereby: its calls, its counts,
 * its seals, its way to refuse.
 */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { events, json, type Script } from '../../kit/upstream.js'
import type { Counts } from './client.js'
import type { Wire } from './upstreams.js'

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')

/** The recorded answer as a body or as a stream. */
export function recorded(name: string, stream: boolean): Script {
  return stream ? events(fixture(`${name}.sse`)) : json(200, JSON.parse(fixture(`${name}.json`)))
}

/** The stream up to the first text of the answer, and all the rest. */
export function halves(wire: Wire, name: string): readonly [string, string] {
  const text = fixture(`${name}.sse`)
  const amount = text.search(firstText[wire])
  const at = amount + text.slice(amount).search(/\r?\n\r?\n/) + 4
  return [text.slice(0, at), text.slice(at)]
}

const firstText: Readonly<Record<Wire, RegExp>> = {
  chat: /"content":"[^"]/,
  messages: /"text_delta"/,
  generative: /"text":"[^"]+"}\]/,
  responses: /"type":"response\.output_text\.delta"/,
}

export interface Counted {
  readonly name: string
  readonly text: string
  readonly counts: Counts
  /** 1 quota per prompt token, 0.1 read from the cache, 1.25 written to it (an hour: x 1.6), 4 per completion token. */
  readonly quota: number
}

export const counted: Readonly<Record<Wire, Counted>> = {
  chat: {
    name: 'chat/openai-text',
    text: 'Hello, "world"!\n It is 25 °C — 今天天气很好。 🎉 Bye.',
    counts: { prompt: 1117, completion: 46, cacheRead: 1024, cacheWrite: 0, reasoning: 0 },
    quota: 379,
  },
  messages: {
    name: 'messages/text',
    text: 'Grüße aus 北京 🚀 — "quoted" \\ and a\nnew line.',
    counts: { prompt: 2360, completion: 27, cacheRead: 2048, cacheWrite: 300, reasoning: 0 },
    quota: 850,
  },
  generative: {
    name: 'generative/thinking',
    text: '27 * 453 = 12,231',
    counts: { prompt: 2060, completion: 110, cacheRead: 2048, cacheWrite: 0, reasoning: 98 },
    quota: 657,
  },
  responses: {
    name: 'responses/text',
    text: 'Grüße aus 北京 🚀 — "quoted" \\ and a\nnew line.',
    counts: { prompt: 2360, completion: 27, cacheRead: 2048, cacheWrite: 300, reasoning: 0 },
    quota: 700,
  },
}

export interface Thought {
  readonly name: string
  readonly reasoning: string
  readonly text: string
  /** What the upstream wants to see again. */
  readonly seals: readonly string[]
}

const product = '27 * 453 = 12,231'

export const thought: Readonly<Record<Wire, Thought>> = {
  chat: {
    name: 'chat/deepseek-reasoning',
    reasoning: 'Okay, so 9.11 or 9.8? 9.8 is 9.80.',
    text: '9.8 is larger than 9.11.',
    seals: [],
  },
  messages: {
    name: 'messages/thinking',
    reasoning: '27 * 453: first 27 * 400.',
    text: product,
    seals: [
      'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
      'EmwKAhgBEgy3va3pzix',
      'EqoBshownNothing',
    ],
  },
  generative: {
    name: 'generative/thinking',
    reasoning: '**Multiplying**\n\n27 * 453: first 27 * 400.',
    text: product,
    seals: ['c2lnbmVkIHRob3VnaHRz'],
  },
  responses: {
    name: 'responses/reasoning',
    reasoning: '**Multiplying**\n\n27 * 453: first 27 * 400.\n\n**Adding**\n\nthen 27 * 53.',
    text: product,
    seals: ['gAAAAABone'],
  },
}

export interface Parallel {
  readonly name: string
  readonly calls: readonly { readonly name: string; readonly input: JsonObject }[]
  /** Seals of the reasoning before the calls, and of the calls themselves. */
  readonly seals: readonly string[]
  readonly callSeals: readonly string[]
  /** What stands in for a lost seal of a call. */
  readonly placeholders: readonly string[]
}

const weatherAndTime = [
  { name: 'get_weather', input: { city: 'München', days: 2 } },
  { name: 'get_time', input: {} },
]
const none = { seals: [], callSeals: [], placeholders: [] }

export const parallel: Readonly<Record<Wire, Parallel>> = {
  chat: {
    ...none,
    name: 'chat/openai-parallel-tools',
    calls: [
      { name: 'get_weather', input: { city: 'Paris', unit: 'c' } },
      { name: 'get_weather', input: { city: '北京' } },
    ],
  },
  messages: { ...none, name: 'messages/tools', calls: weatherAndTime },
  generative: {
    ...none,
    name: 'generative/tools',
    calls: weatherAndTime,
    callSeals: ['c2lnbmVkIGNhbGw='],
    placeholders: ['skip_thought_signature_validator'],
  },
  responses: {
    ...none,
    name: 'responses/tools',
    calls: [
      { name: 'get_weather', input: { city: 'München' } },
      { name: 'get_time', input: {} },
    ],
    seals: ['gAAAAABenc=='],
  },
}

/** Streams that break off with an error after some content. */
export const broken: Readonly<Record<Wire, string>> = {
  chat: 'chat/openrouter-late-error',
  messages: 'messages/broken-late',
  generative: 'generative/broken-late',
  responses: 'responses/failed',
}

export const tooHigh = 'The temperature of this test is too high.'

/** A refusal in the upstream's own words. */
export function refusal(wire: Wire, status: 400 | 429 | 500): Script {
  return json(status, refusalBodies[wire](status))
}

const words: Readonly<Record<number, readonly [openai: string, google: string]>> = {
  400: ['invalid_request_error', 'INVALID_ARGUMENT'],
  429: ['rate_limit_error', 'RESOURCE_EXHAUSTED'],
  500: ['api_error', 'INTERNAL'],
}

const openaiBody = (status: number) => ({
  error: { message: tooHigh, type: words[status]![0], param: null, code: null },
})

const refusalBodies: Readonly<Record<Wire, (status: number) => JsonObject>> = {
  chat: openaiBody,
  responses: openaiBody,
  messages: (status) => ({
    type: 'error',
    error: { type: words[status]![0], message: tooHigh },
  }),
  generative: (status) => ({
    error: { code: status, message: tooHigh, status: words[status]![1] },
  }),
}

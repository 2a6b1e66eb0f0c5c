/**
 * Tests a channel as a caller would meet it: one tiny request by the kernel's probe, with a model of the channel's and
 * one of its keys.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import {
  failureOf,
  maskedFailure,
  operatorMessage,
  Refusal,
} from '../../../kernel/toolkit/errors/index.js'
import { isRealtimeModel } from '../../../kernel/toolkit/vendors/index.js'
import type { ModelRegistry } from '../model-registry/index.js'
import type { ChannelTests, FullTestOptions, TestOptions, TestResult } from './channel-tests.js'
import { createFullTests, requestNames } from './full.js'
import { requestOf, type TestRequest, testTypes } from './requests.js'

export type * from './channel-tests.js'

export default function create({
  services,
  clock,
  log,
}: Kit<'probe' | 'providers' | 'model-registry' | 'peers'>): ChannelTests {
  const { probe, providers, peers, 'model-registry': registry } = services
  const fullTest = createFullTests({ probe, clock, peers })

  async function run(channel: Channel, options: TestOptions = {}): Promise<TestResult> {
    const model = modelOf(channel, options, registry)
    const key = options.key ?? keyOf(channel)
    if (model === '') return failed(model, lacking('The channel has no model to test.'))
    if (key === undefined) return failed(model, failureOf(new Refusal('channel:no_available_key')))
    const endpointType = options.endpointType || typeOf(model, registry)
    const request = requestOf(endpointType, { model, stream: options.stream === true })
    if (request === undefined) {
      const reason = `The endpoint type "${endpointType}" is none a test knows: ${testTypes.join(', ')}.`
      return failed(model, lacking(reason))
    }
    try {
      return { ...(await probed(channel, key, request)), model, endpointType }
    } catch (error) {
      log.error({ err: error, channelId: channel.id }, 'a channel could not be tested')
      return { ...failed(model, failureOf(new Refusal('internal_error'))), endpointType }
    }
  }

  async function probed(channel: Channel, key: ChannelKey, request: TestRequest) {
    // Of a channel that is switched off nobody has needed the provider yet.
    await providers.warm(channel.type)
    const { failure, ms, firstMs, usage } = await probe.run({ channel, key, ...request })
    const facts = { ms, ...(firstMs !== undefined && { firstMs }), ...(usage && { usage }) }
    if (failure === undefined) return { ...facts, ok: true, message: '' }
    const masked = maskedFailure(failure, key.text)
    return { ...facts, ok: false, message: operatorMessage(masked), failure: masked }
  }

  async function full(channel: Channel, options: FullTestOptions) {
    const model = modelOf(channel, options, registry)
    const key = options.key ?? keyOf(channel)
    if (model === '') {
      throw new Refusal('invalid_request', { reason: 'The channel has no model to test.' })
    }
    if (key === undefined) throw new Refusal('channel:no_available_key')
    await providers.warm(channel.type)
    const embeddingModel = options.embeddingModel?.trim() || embeddingModelOf(channel, registry)
    return fullTest({ channel, key, model, embeddingModel }, options)
  }

  return { run, full, requestNames }
}

function embeddingModelOf({ models }: Channel, registry: ModelRegistry): string | undefined {
  return [...models].find((name) =>
    registry.describe(name).endpoints.some(({ type }) => type === 'embeddings'),
  )
}

/** The one requested, else the row's, else the first that chats, else the first; empty: there is none. */
function modelOf(
  { models }: Channel,
  { model, testModel }: TestOptions,
  registry: ModelRegistry,
): string {
  const named = model?.trim() || testModel?.trim()
  if (named) return named
  const names = [...models]
  return names.find((name) => registry.describe(name).isChat) ?? names[0] ?? ''
}

function keyOf({ keys }: Channel): ChannelKey | undefined {
  return keys.find(({ enabled }) => enabled) ?? keys[0]
}

/** What an admin set, or the name of the model shows, as its calls; else the fallback for names that show nothing. */
function typeOf(model: string, registry: ModelRegistry): string {
  const types = registry.describe(model).endpoints.map(({ type }) => type)
  const known = types.find((type) => testTypes.includes(type))
  if (known === undefined && isRealtimeModel(model)) return 'realtime'
  return known ?? wordless.find(([pattern]) => pattern.test(model))?.[1] ?? types[0] ?? 'openai'
}

const wordless: readonly (readonly [name: RegExp, type: string])[] = [
  [/whisper|transcribe/i, 'transcription'],
  [/(?:^|[-/])tts/i, 'speech'],
  [/moderation/i, 'moderation'],
  [/^(?:sora|veo|kling|wan2|hailuo|seedance|vidu|jimeng)|^(?:mj|suno|swap)_/i, 'task'],
]

function lacking(reason: string): Failure {
  return failureOf(new Refusal('invalid_request', { reason }))
}

function failed(model: string, failure: Failure): TestResult {
  return { ok: false, ms: 0, message: failure.message, model, failure }
}

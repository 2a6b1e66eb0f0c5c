/**
 * A request of the gateway's own to one channel: mapping, override, upstream and delivery as for everybody, but without
 * a caller, a choice of channel or money. Tests of channels and counts of tokens are made of it.
 */

import type { Failure } from '../contract/failure.js'
import type { Clock, Log } from '../contract/kit.js'
import type { Failed } from '../contract/line/attempt.js'
import type { Hold, Price } from '../contract/line/money.js'
import type { Opened, Picked, Reserved } from '../contract/line/record.js'
import type { Stages } from '../contract/line/stages.js'
import type { Formats, Operations } from '../contract/services/formats.js'
import type { HeldRoom } from '../contract/services/memory.js'
import type { Probe, ProbeRequest, ProbeResult } from '../contract/services/probe.js'
import type { Providers } from '../contract/services/providers.js'
import { createRequestIds } from '../http/request-id.js'
import { failureOf, refused } from '../toolkit/errors/outcome.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { mappedModel } from '../toolkit/stage/model-mapping.js'
import type { Deliver } from './deliver.js'
import { pipelineLimits } from './limits.js'
import { ProbeSink } from './probe-sink.js'
import { beginRecord, grow } from './record.js'

export interface ProbeDependencies {
  readonly clock: Clock
  readonly log: Log
  readonly formats: Formats
  readonly operations: Operations
  readonly providers: Providers
  readonly stages: Pick<Stages, 'mapping' | 'override' | 'upstream'>
  readonly deliver: Deliver
  /** Room for the answer of one probe, to be released. Absent: nobody counts it. */
  room?(): HeldRoom
}

export function createProbe(dependencies: ProbeDependencies): Probe {
  const { clock, log } = dependencies
  const mint = createRequestIds(() => clock.now())

  async function run(request: ProbeRequest): Promise<ProbeResult> {
    const began = clock.monotonic()
    const sink = new ProbeSink(mint(), request.leavesEarly)
    const cancelLimit = clock.after(pipelineLimits.probeMs, () => sink.leave())
    const room = dependencies.room?.()
    try {
      const picked = begin(request, { sink, room }, dependencies)
      const opened = 'failure' in picked ? picked : await open(picked, dependencies.stages)
      const result = await resultOf(opened, dependencies.deliver, request)
      const named = 'failure' in picked ? { model: '' } : namesOf(picked)
      const ms = Math.round(clock.monotonic() - began)
      return { ...named, ms, head: sink.headText, ...result }
    } catch (error) {
      const ms = Math.round(clock.monotonic() - began)
      return { failure: thrown(error, log), model: '', ms, head: '' }
    } finally {
      cancelLimit()
      room?.release()
    }
  }

  return { run }
}

function namesOf({ model, channel }: Picked): Pick<ProbeResult, 'model' | 'upstreamModel'> {
  return { model, upstreamModel: mappedModel(channel.modelMapping, model) }
}

/** The record as it stands when a channel has been picked. */
function begin(
  request: ProbeRequest,
  { sink, room }: { readonly sink: ProbeSink; readonly room: HeldRoom | undefined },
  dependencies: ProbeDependencies,
): Picked | Failed {
  const { channel, key, operation, body, hints } = request
  const format = dependencies.formats.get(request.format)
  const work = operation === 'chat' ? undefined : dependencies.operations.get(operation)
  if ((operation !== 'chat' && work === undefined) || operation === 'realtime') return unserved
  const json = body.kind === 'json' ? body.value : {}
  const requested = work?.check(body, hints) ?? format.check(json, hints)
  const upstreamModel = mappedModel(channel.modelMapping, requested.model) ?? requested.model
  const adapter = dependencies.providers.adapter(channel, {
    operation,
    format: format.name,
    model: upstreamModel,
  })
  if (adapter === undefined) return unserved
  const received = beginRecord({
    requestId: sink.requestId,
    receivedAt: dependencies.clock.now(),
    operation,
    work,
    format,
    path: 'probe',
    body,
    client: request.client ?? { headers: {}, query: {}, address: '' },
    credential: { kind: 'none' },
    hints,
    sink,
    room,
  })
  return grow(received, {
    ...requested,
    user: nobody,
    call: () => format.decodeRequest(json, hints),
    route: { groups: channel.groups.slice(0, 1), crossGroup: false },
    prices: { version: '', price: () => free },
    hold: nothingHeld,
    number: 1,
    tried: [],
    channel,
    key: key.text,
    keyId: key.id,
    group: channel.groups[0] ?? '',
    position: 0,
    adapter,
    claim: { ended() {} },
  })
}

async function open(picked: Picked, stages: ProbeDependencies['stages']): Promise<Opened | Failed> {
  const mapping = await stages.mapping.run(picked)
  if ('failure' in mapping) return mapping
  const mapped = grow(picked, mapping)
  const overriding = await stages.override.run(mapped)
  if ('failure' in overriding) return overriding
  const reserved = grow(grow(mapped, overriding), {
    price: free,
    draft: blankDraft,
    heldOutput: 0,
    settleFirst: false,
  })
  const opening = await stages.upstream.run(reserved)
  return 'failure' in opening ? opening : grow(reserved, opening)
}

async function resultOf(
  opened: Opened | Failed,
  deliver: Deliver,
  { leavesEarly }: ProbeRequest,
): Promise<Pick<ProbeResult, 'failure' | 'usage' | 'firstMs'>> {
  if ('failure' in opened) return { failure: opened.failure }
  const { end, failure, usage } = await deliver(opened)
  const { firstMs } = opened
  const hasLeft = leavesEarly === true && end === 'clientGone'
  if (end === 'complete' || hasLeft) return { usage, firstMs }
  return { usage, firstMs, failure: failure ?? failureOf(new Refusal('upstream_broke_off')) }
}

function thrown(error: unknown, log: Log): Failure {
  if (error instanceof Refusal) return failureOf(error)
  log.error({ err: error }, 'a test of a channel failed unexpectedly')
  return failureOf(new Refusal('internal_error'))
}

const unserved = refused('api_not_implemented')

const nobody = { id: 0, username: '', role: 0, group: '', walletId: 0 }

const free: Price = {
  model: '',
  free: true,
  hold: () => 0n,
  cost: () => 0n,
  terms: () => ({}),
  explain: () => ({}),
}

const nothingHeld: Hold = {
  covered: 0n,
  cover: async () => 'ok',
  follow() {},
  onGone() {},
  close: async () => ({ state: 'none', quota: 0n, shortfall: 0n }),
}

const blankDraft: Reserved['draft'] = {
  username: '',
  tokenName: '',
  model: '',
  upstreamModel: '',
  group: '',
  channelId: 0,
  channelName: '',
  isStream: false,
  address: '',
}

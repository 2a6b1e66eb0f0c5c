/** Traces of requests: everybody's for admins; for owners their own, without anything of channels (X12, decision 0097). */
import joi from 'joi'
import type {
  Answer,
  Management,
  ManagementRequest,
  Principal,
} from '../../../../kernel/contract/management.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import {
  noData,
  signedIn,
  visible,
  visibleOnly,
} from '../../../../kernel/toolkit/management/index.js'
import type { StoredRecording } from '../../../services/recordings/index.js'
import type { RequestTrace } from '../../../services/usage-log/index.js'
import { attemptsOf } from './attempts.js'
import { ownRecording, ownTrace, recording, trace } from './responses.js'
import { ownStagesOf, stagesOf } from './stages.js'

const params = joi.object({
  request_id: joi.string().max(128).pattern(visible, visibleOnly).required(),
})
const rootRole = 100
const uncached = { 'cache-control': 'no-store' }

type TracesKit = Kit<'usage-log' | 'recordings' | 'channels' | 'database'>

export function traceRoutes({ services }: Pick<TracesKit, 'services'>): Management['routes'] {
  const { recordings, channels, database } = services
  const log = services['usage-log']

  async function one({ params }: ManagementRequest) {
    const requestId = idIn(params)
    const found = (await log.trace(requestId)) ?? missing()
    const attempts = attemptsOf(found, channels)
    return { ...(await shown(requestId, found)), stages: stagesOf(found), attempts }
  }

  async function own(request: ManagementRequest) {
    const { userId } = signedIn(request)
    const requestId = idIn(request.params)
    const found = (await log.trace(requestId, userId)) ?? missing()
    return { ...(await shown(requestId, found)), stages: ownStagesOf(found) }
  }

  async function shown(request_id: string, { row, others, durationMs }: RequestTrace) {
    const kept = await recordings.find(request_id)
    return { request_id, duration_ms: durationMs, row, others, recorded: kept?.level ?? '' }
  }

  async function read(request: ManagementRequest): Promise<Answer> {
    const caller = signedIn(request)
    const found = await mayRead(caller, idIn(request.params))
    const isOthers = found.userId !== caller.userId
    return {
      answer: true,
      data: { ...ownSide(found), calls: found.upstream.calls },
      headers: uncached,
      ...(isOthers && { audit: noteOf(request, found) }),
    }
  }

  async function readOwn(request: ManagementRequest): Promise<Answer> {
    const { userId } = signedIn(request)
    const found = await recordings.read(idIn(request.params))
    if (found === undefined || found.userId !== userId) return missing()
    return { answer: true, data: ownSide(found), headers: uncached }
  }

  async function remove(request: ManagementRequest): Promise<Answer> {
    const requestId = idIn(request.params)
    const found = await recordings.find(requestId)
    if (found === undefined) return missing()
    await mustReach(signedIn(request), found.userId)
    await recordings.remove(requestId)
    return { answer: true, data: null, audit: noteOf(request, found) }
  }

  async function removeOwn(request: ManagementRequest) {
    const { userId } = signedIn(request)
    const requestId = idIn(request.params)
    const found = await recordings.find(requestId)
    if (found === undefined || found.userId !== userId) return missing()
    await recordings.remove(requestId)
    return null
  }

  async function mayRead(caller: Principal, requestId: string): Promise<StoredRecording> {
    const found = await recordings.read(requestId)
    if (found === undefined) return missing()
    await mustReach(caller, found.userId)
    return found
  }

  /** Root reads everybody's, others their own and those of people they outrank. */
  async function mustReach({ userId, role }: Principal, owner: number): Promise<void> {
    if (role === rootRole || userId === owner) return
    const person = await database.knex('users').where({ id: owner }).first('role')
    if (person !== undefined && person.role >= role) throw new Refusal('forbidden')
  }

  return {
    trace: { params, response: trace, handle: one },
    ownTrace: { params, response: ownTrace, handle: own },
    recording: { params, response: recording, handle: read },
    ownRecording: { params, response: ownRecording, handle: readOwn },
    removeRecording: { params, response: noData, handle: remove },
    removeOwnRecording: { params, response: noData, handle: removeOwn },
  }
}

function ownSide({ createdAt, level, client }: StoredRecording) {
  const { request, reply } = client
  return { created_at: Math.floor(createdAt.getTime() / 1000), level, request, reply }
}

function noteOf(
  request: ManagementRequest,
  { userId, level }: Pick<StoredRecording, 'userId' | 'level'>,
) {
  return { object: `request ${idIn(request.params)}`, detail: `${level} of user ${userId}` }
}

function idIn({ request_id = '' }: ManagementRequest['params']): string {
  return request_id
}

/** Of another and of nobody alike. */
function missing(): never {
  throw new Refusal('gone_missing', { what: 'request', param: 'request_id' })
}

/** The first record of a request: what the endpoint made of it, with the format and the operation it names. */
import type { ByteRoom } from '../contract/bytes.js'
import type { Inbound, RelayRequest } from '../contract/endpoint.js'
import type { Received } from '../contract/line/record.js'
import type { Operation } from '../contract/operation.js'
import type { Formats, Operations } from '../contract/services/formats.js'
import type { Sink } from '../contract/sink.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { beginTimes } from '../toolkit/stage/times.js'

/** A request on its way into the line. */
export interface RelayStart {
  readonly request: RelayRequest
  readonly inbound: Inbound
  readonly sink: Sink
  /** Unix milliseconds. */
  readonly receivedAt: number
  /** Where its answer is held while it is whole. Absent: a socket, which has none. */
  readonly room?: ByteRoom
}

export interface Known {
  readonly formats: Formats
  readonly operations: Operations
}

/** Throws the refusal `api_not_implemented` where no plugin serves the operation. */
export function receivedOf(
  { request, inbound, sink, receivedAt, room }: RelayStart,
  { formats, operations }: Known,
): Received {
  return {
    requestId: inbound.requestId,
    receivedAt,
    operation: request.operation,
    work: operationOf(request, operations),
    format: formats.get(request.format),
    path: inbound.path,
    body: request.body,
    client: inbound.client,
    credential: request.credential,
    hints: request.hints,
    requestedGroup: request.requestedGroup,
    dialect: request.dialect,
    task: request.task,
    sink,
    room,
    times: beginTimes(),
  }
}

function operationOf({ operation }: RelayRequest, operations: Operations): Operation | undefined {
  if (operation === 'chat') return undefined
  const work = operations.get(operation)
  if (work === undefined) throw new Refusal('api_not_implemented')
  return work
}

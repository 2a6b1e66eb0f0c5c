/** An upstream's answer, as this area returns it: failures in safe words, with a status that shows whose they are. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Answer } from '../../../kernel/contract/management.js'
import { operatorMessage, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { TestResult } from '../../services/channel-tests/index.js'

/** What the function below may return. */
export const failureStatuses: readonly number[] = [400, 500, 502]

/** The upstream's faults are 502, the channel's own 400. */
export function failureAnswer(failure: Failure): Answer {
  const { code } = failure
  const status = code.startsWith('upstream_') ? 502 : code === 'internal_error' ? 500 : 400
  const bare = { success: false, message: operatorMessage(failure), code, data: null }
  return { answer: true, status, bare }
}

/** The whole body of a test. */
export interface TestReport {
  readonly success: boolean
  readonly message: string
  readonly data: {
    readonly model: string
    readonly endpoint_type: string
    readonly response_ms: number
    readonly first_ms: number | null
    readonly usage: Usage | null
    readonly code: string
    readonly status: number
  }
  readonly time: number
}

/** A test that failed is a result like any other. `time` is in seconds, beside the data, where the family has it. */
export function testAnswer(result: TestResult): Answer {
  const { ok, message, ms, firstMs, model, endpointType, failure, usage } = result
  const data = {
    model,
    endpoint_type: endpointType ?? '',
    response_ms: ms,
    first_ms: firstMs ?? null,
    usage: usage ?? null,
    code: failure?.code ?? '',
    status: failure?.status ?? 200,
  }
  const bare: TestReport = { success: ok, message, data, time: ms / 1000 }
  return { answer: true, bare }
}

/** What is refused of a channel, in one sentence. */
export function unfit(reason: string, param = 'id'): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

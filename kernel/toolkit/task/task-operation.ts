/** An operation whose requests are media tasks. What they cost is counted by the adapter, from the call as it goes out. */
import type { Body } from '../../contract/body.js'
import type { RequestedOptions } from '../../contract/format.js'
import type { TaskOperationName } from '../../contract/names.js'
import type { Operation } from '../../contract/operation.js'
import { modelNamed } from '../operation/operation-body.js'

export interface TaskOperationOptions {
  readonly name: TaskOperationName
  /** Checks the body field by field and returns the requested model; throws a `Refusal` that names the field. */
  check(body: Body): string
}

export function taskOperation({ name, check }: TaskOperationOptions): Operation {
  return {
    name,
    task: true,
    check: (body): RequestedOptions => ({ model: check(body), stream: false, wantsUsage: false }),
    named: modelNamed,
    limits: () => ({}),
    estimate: () => ({}),
    readReply: () => ({ estimatedTokens: 0 }),
    watch() {
      throw new TypeError('the answer to a media task is never passed through')
    },
  }
}

/** The address at which a client wants the end of its task reported, before anything of the task is done. */
import type { TaskRequest } from '../../../kernel/contract/endpoint.js'
import { faultOfAddress } from '../../../kernel/toolkit/notifier/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'

const charactersMax = 2_048

/** Throws a `Refusal` that names the client's field. What a name leads to is seen when it is called. */
export function checkClientAddress({ callbackUrl, callbackField }: TaskRequest = {}): void {
  if (callbackUrl === undefined) return
  const fault =
    callbackUrl.length > charactersMax
      ? `must be at most ${charactersMax} characters long`
      : faultOfAddress(callbackUrl)
  if (fault !== undefined) throw invalidField(callbackField ?? 'callback_url', fault)
}

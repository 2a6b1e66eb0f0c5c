/** The name of a write that moves money: doing it again is the same write and not a second one (BILL-2). */
import { hash } from 'node:crypto'
import { isObject } from '../../contract/json.js'
import type { ManagementRequest, Principal } from '../../contract/management.js'
import type { RequestId } from '../../contract/names.js'
import { Refusal } from '../../toolkit/errors/refusal.js'

export interface Write {
  readonly requestId: RequestId
  /** Name of the route. */
  readonly route: string
  readonly principal: Principal | undefined
  /** Header `Idempotency-Key`, as it came. */
  readonly key: unknown
  /** What was sent: the same key with something else is a mistake of the caller. */
  readonly requested: object
}

/** Throws `invalid_field`. */
export function moneyKeyOf({
  requestId,
  route,
  principal,
  key,
  requested,
}: Write): Pick<ManagementRequest, 'moneyKey' | 'moneyPrint'> {
  if (key === undefined || principal === undefined) return { moneyKey: requestId }
  if (typeof key !== 'string' || !printable.test(key)) {
    throw new Refusal('invalid_field', {
      reason: 'Idempotency-Key takes 1 to 255 printable ASCII characters.',
      param: 'Idempotency-Key',
    })
  }
  const moneyKey = `user:${principal.userId}/${route}/${key}`
  return { moneyKey, moneyPrint: hash('sha256', sorted(requested), 'buffer') }
}

const printable = /^[\x20-\x7e]{1,255}$/

/** One text for the same fields in whatever order they were sent. */
function sorted(value: object): string {
  return JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(byName)) : inner,
  )
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}

/**
 * The world outside a gateway of a test: names lead to servers of this machine, whose loopback address counts as a public one. All
 * other addresses are judged as in production, so that what is inside stays out of reach.
 */
import type { Egress } from '../../kernel/contract/services/egress.js'
import { addressPolicy } from '../../kernel/egress/address-policy.js'
import { createEgress } from '../../kernel/egress/egress.js'
import { systemClock } from '../../kernel/schedule/system-clock.js'
import { quietLog } from './fakes.js'
import type { TestGateway } from './gateway.js'

/** Host name → the addresses it has; read at each look. Absent: that of this machine. */
export type Names = Record<string, string>

export function outside(
  t: { teardown(run: () => Promise<void>): void },
  { gateway }: Pick<TestGateway, 'gateway'>,
  names: Names = {},
): void {
  const usual = addressPolicy(() => true)
  const egress = createEgress({
    ...{ allowPrivateUpstreams: true, clock: systemClock, log: quietLog },
    policy: (address, namedBy) => address === '127.0.0.1' || usual(address, namedBy),
    resolve: (name, done) => done(null, [{ address: names[name] ?? '127.0.0.1', family: 4 }]),
  })
  t.teardown(() => egress.close())
  const own = gateway.service('egress') as { open: Egress['open'] }
  own.open = (request) => egress.open(request)
}

/** Resolves once it is so. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

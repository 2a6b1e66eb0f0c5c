/** The page of a provider where a payer sees what they have. */
import assert from 'node:assert/strict'
import type { PortalRequest } from '../../kernel/contract/payment.js'
import type { TestFunction } from './kit.js'
import type { Script } from './outgoing.js'
import type { PaymentSubject } from './payment.js'
import { assertQuiet, order, paymentBench } from './payment-bench.js'
import { assertRejects } from './payment-opening.js'

export interface PortalSubject {
  /** By what a payer has, each on its own. */
  readonly requests: readonly Omit<PortalRequest, 'returnUrl'>[]
  readonly provider: Script
}

export function conformingPortal(
  test: TestFunction,
  subject: PaymentSubject,
  { requests, provider }: PortalSubject,
): void {
  const { returnUrl } = order
  for (const request of requests) {
    const what = Object.keys(request).join(' and ')
    test(`the page of a payer is found by the ${what}`, async () => {
      const at = paymentBench(subject, { script: provider })
      const { url } = await at.gateway.portal!({ ...request, returnUrl })
      assert.match(url, /^https:\/\//)
      assertQuiet(at, url)
    })
    test(`a provider that fails has no page of the ${what}`, async () => {
      const scripts: readonly Script[] = [
        () => undefined,
        () => ({ status: 500, text: 'no' }),
        () => ({ json: [] }),
      ]
      for (const script of scripts) {
        const at = paymentBench(subject, { script })
        await assertRejects(at, () => at.gateway.portal!({ ...request, returnUrl }))
      }
    })
  }
}

/** How this service refuses: as Google's services do; these reasons are about the operator's key, account or region. */
import type { Failure } from '../../kernel/contract/failure.js'
import { googleFailure } from '../../kernel/toolkit/vendors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return googleFailure({ status, headers, head }, { channelReasons })
}

const channelReasons: ReadonlySet<string> = new Set([
  'API_KEY_INVALID',
  'API_KEY_EXPIRED',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'BILLING_DISABLED',
  'CONSUMER_SUSPENDED',
  'SERVICE_DISABLED',
])

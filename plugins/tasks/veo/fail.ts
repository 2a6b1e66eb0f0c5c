/** How both services refuse: as Google's services do. */
import type { Failure } from '../../../kernel/contract/failure.js'
import { googleFailure } from '../../../kernel/toolkit/vendors/index.js'

/** About the operator's key, account or region. */
const channelReasons: ReadonlySet<string> = new Set([
  'API_KEY_INVALID',
  'API_KEY_EXPIRED',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'BILLING_DISABLED',
  'CONSUMER_INVALID',
  'CONSUMER_SUSPENDED',
  'SERVICE_DISABLED',
])

/** Words of a 400 that another project or region may not send. */
const channelMessages =
  /not allowed to use publisher model|is not servable in region|not supported in (?:the |this )?(?:region|location)|has not been used in project|billing (?:account|is)/i

export function geminiFail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return googleFailure({ status, headers, head }, { channelReasons })
}

export function vertexFail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return googleFailure({ status, headers, head }, { channelReasons, channelMessages, masked })
}

/** Names of resources hold the operator's project. */
export function masked(message: string): string {
  return message.replace(/\bprojects\/[^\s/`'"]+(?:\/locations\/[^\s/`'"]+)?/g, 'projects/***')
}

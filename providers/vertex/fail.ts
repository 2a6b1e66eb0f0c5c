/**
 * How this service refuses: as Google's services do; Claude's errors have the same place. What is about the operator's
 * key, project or region is a 400 all the same.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { googleFailure } from '../../kernel/toolkit/vendors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return googleFailure({ status, headers, head }, { channelReasons, channelMessages, masked })
}

const channelReasons: ReadonlySet<string> = new Set([
  'API_KEY_INVALID',
  'API_KEY_EXPIRED',
  'API_KEY_SERVICE_BLOCKED',
  'BILLING_DISABLED',
  'CONSUMER_INVALID',
  'CONSUMER_SUSPENDED',
  'SERVICE_DISABLED',
])

/** Words of a 400 that another project or region may not send (seen 2025-2026). */
const channelMessages =
  /not allowed to use publisher model|is not servable in region|not supported in (?:the |this )?(?:region|location)|has not been used in project|billing (?:account|is)/i

/** They hold the operator's project. */
const resourceNames = /\bprojects\/[^\s/`'"]+(?:\/locations\/[^\s/`'"]+)?/g

function masked(message: string): string {
  return message.replace(resourceNames, 'projects/***')
}

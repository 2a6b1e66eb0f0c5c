/** Whether a gateway stands where strangers may come. It decides what setup suggests, and no right. */
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import { isLoopback, isLoopbackName } from '../../../kernel/toolkit/service/index.js'

/**
 * False only where it listens on this machine alone (`host`), and is called from it, by its own name and by no proxy that
 * states so.
 */
export function onPublicAddress(
  host: string,
  { address, headers }: Pick<ManagementRequest, 'address' | 'headers'>,
): boolean {
  const forwards = Object.keys(headers).some((name) => forwarding.test(name))
  const called = isLoopbackName(String(headers.host ?? ''))
  return !isLoopbackName(host) || !isLoopback(address) || !called || forwards
}

const forwarding =
  /^(?:forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|fly-client-ip)$/

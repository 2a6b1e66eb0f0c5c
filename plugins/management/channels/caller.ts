/** Who makes a request of this area. */
import type { ManagementRequest } from '../../../kernel/contract/management.js'

/** Stands where a channel names who switched it off. */
export function adminName({ principal }: ManagementRequest): string {
  return principal?.username ?? ''
}

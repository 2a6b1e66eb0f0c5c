/** The signed-in user as the pages of the account read and renew them. */
import { computed } from 'vue'
import type { Self } from '../../api/self.js'
import { useSession } from '../../shell/session.js'

/** Fields the server returns beside those the whole console uses. */
interface More {
  readonly aff_code: string
  readonly aff_count: number
  readonly aff_quota: number | string
  readonly aff_history_quota: number | string
  readonly created_at: number
}

export function useSelf() {
  const session = useSession()
  return {
    self: computed(() => session.self as (Self & More) | undefined),
    /** After something of it was changed. */
    again: () => session.read(),
  }
}

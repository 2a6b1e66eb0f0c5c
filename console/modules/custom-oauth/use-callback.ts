/** Where providers send the browser back to: a page of the public address. */
import { computed } from 'vue'
import { useSite } from '../../shell/site.js'

export function useCallback() {
  const site = useSite()
  const address = computed(() => (site.status?.server_address ?? '').replace(/\/+$/, ''))
  return {
    /** No public address is set: then nobody can be sent back. */
    missing: computed(() => address.value === ''),
    callbackOf: (slug: string) => `${address.value || location.origin}/oauth/${slug}`,
  }
}

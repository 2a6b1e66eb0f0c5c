/** How far somebody new has come: a channel for admins, a balance for root, a key, a request. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { Page } from '../../api/page.js'
import { request } from '../../api/request.js'
import { roles } from '../../shell/roles.js'
import { useSession } from '../../shell/session.js'

export function useFirstSteps() {
  const session = useSession()
  const isAdmin = computed(() => session.role >= roles.admin)
  /** Who has sent requests has a key and needs no channel of their own making. */
  const isNew = computed(() => (session.self?.request_count ?? 0) === 0)
  const isFunded = computed(() => BigInt(session.self?.quota ?? 0) > 0n)
  const tokens = useTotal('tokens', '/api/token/', isNew)
  const channels = useTotal(
    'channels',
    '/api/channel/',
    computed(() => isAdmin.value && isNew.value),
  )

  const steps = computed(() => [
    ...(isAdmin.value
      ? [{ name: 'channel', path: '/channels/new', done: (channels.data.value ?? 0) > 0 }]
      : []),
    // Nobody else may move money, and a new root has none.
    ...(session.role >= roles.root
      ? [{ name: 'balance', path: '/users', done: isFunded.value }]
      : []),
    { name: 'token', path: '/tokens/new', done: (tokens.data.value ?? 0) > 0 },
    { name: 'request', path: '/playground', done: !isNew.value },
  ])
  const known = computed(
    () => tokens.data.value !== undefined && (!isAdmin.value || channels.data.value !== undefined),
  )
  const shown = computed(() => isNew.value && known.value)
  return { steps, shown }
}

function useTotal(key: string, path: string, enabled: { readonly value: boolean }) {
  return useQuery({
    queryKey: [key, 'total'],
    queryFn: async ({ signal }) => {
      const query = { p: 1, page_size: 1 }
      return (await request<Page<unknown>>('GET', path, { query, signal })).total
    },
    enabled: computed(() => enabled.value),
  })
}

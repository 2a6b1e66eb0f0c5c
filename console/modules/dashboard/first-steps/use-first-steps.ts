/** How far somebody new has come: a channel for admins, a balance for root, a key, a request. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { changeSelf } from '../../../api/account.js'
import { logTypes, readLog } from '../../../api/logs.js'
import type { Page } from '../../../api/page.js'
import { request } from '../../../api/request.js'
import { roles } from '../../../shell/roles.js'
import { useSession } from '../../../shell/session.js'

/** How often it is looked for the first request of somebody else. */
const lookMs = 30_000

export function useFirstSteps() {
  const session = useSession()
  const isAdmin = computed(() => session.role >= roles.admin)
  const isHidden = computed(() => session.self?.first_steps_hidden === true)
  /** Who has sent requests has a key and needs no channel of their own making. */
  const isNew = computed(() => !isHidden.value && (session.self?.request_count ?? 0) === 0)
  const isFunded = computed(() => BigInt(session.self?.quota ?? 0) > 0n)
  const isAdminNew = computed(() => isAdmin.value && isNew.value)
  const tokens = useTotal('tokens', '/api/token/', isNew)
  const channels = useTotal('channels', '/api/channel/', isAdminNew)
  /** The gateway of an admin works once anybody has sent a request. */
  const requests = useQuery({
    queryKey: ['logs', 'any'],
    queryFn: async ({ signal }) => {
      const one = { p: 1, page_size: 1, type: logTypes.charge }
      return (await readLog('all', one, signal)).items.length
    },
    enabled: isAdminNew,
    refetchInterval: ({ state }) => (state.data === 1 ? false : lookMs),
  })

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
  const shown = computed(() => {
    if (!isNew.value || tokens.data.value === undefined) return false
    return !isAdmin.value || (channels.data.value !== undefined && requests.data.value === 0)
  })

  /** For good, in every browser of this account. */
  async function hide(): Promise<void> {
    await changeSelf({ first_steps_hidden: true })
    await session.readAnew()
  }

  return { steps, shown, hide }
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

/** What waits for an admin: channels and models nobody can call, plugins and notices that failed. Quiet where all is well. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { readChannels } from '../../../api/channels.js'
import { readOutbox } from '../../../api/outbox.js'
import { readPlugins } from '../../../api/plugins.js'
import { readMissingPrices } from '../../../api/prices.js'
import { roles } from '../../../shell/roles.js'
import { useSession } from '../../../shell/session.js'

export interface Matter {
  readonly name: 'switchedOff' | 'breakers' | 'prices' | 'plugins' | 'notices'
  readonly count: number
  /** Absent: the caller may not do anything about it. */
  readonly to?: string
}

const refreshMs = 60_000
/** Notices that failed earlier have been seen, or do not matter any more. */
const noticesSeconds = 3 * 86_400
const noticesMax = 100

export function useAttention() {
  const session = useSession()
  const switchedOff = useRead('switched-off', readSwitchedOff)
  const breakers = useRead('breakers', readLeftAlone)
  const prices = useRead('prices', readMissingPrices)
  const plugins = useRead('plugins', readFailedPlugins)
  const notices = useRead('notices', readFailedNotices)

  const matters = computed<readonly Matter[]>(() => {
    const all: readonly Matter[] = [
      {
        name: 'switchedOff',
        count: switchedOff.data.value ?? 0,
        to: '/channels?status=auto_disabled',
      },
      {
        name: 'breakers',
        count: breakers.data.value ?? 0,
        to: '/channels?breaker=open',
      },
      {
        name: 'prices',
        count: prices.data.value?.length ?? 0,
        to: session.role >= roles.root ? '/prices?show=missing' : undefined,
      },
      { name: 'plugins', count: plugins.data.value ?? 0, to: '/plugins?state=failed' },
      { name: 'notices', count: notices.data.value ?? 0, to: '/outbox?state=failed' },
    ]
    return all.filter(({ count }) => count > 0)
  })
  return matters
}

function useRead<Found>(name: string, read: (signal: AbortSignal) => Promise<Found>) {
  return useQuery({
    queryKey: ['attention', name],
    queryFn: ({ signal }) => read(signal),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  })
}

async function readSwitchedOff(signal: AbortSignal): Promise<number> {
  return (await readChannels({ p: 1, page_size: 1, status: 'auto_disabled' }, signal)).total
}

/** A channel that has to wait a little is not a failing one. */
async function readLeftAlone(signal: AbortSignal): Promise<number> {
  return (await readChannels({ p: 1, page_size: 1, breaker: 'open' }, signal)).total
}

async function readFailedPlugins(signal: AbortSignal): Promise<number> {
  const { plugins } = await readPlugins(signal)
  return plugins.filter(({ state }) => state === 'failed').length
}

async function readFailedNotices(signal: AbortSignal): Promise<number> {
  const query = { p: 1, page_size: noticesMax, state: 'failed', user_id: 0 }
  const { items } = await readOutbox(query, signal)
  const since = Date.now() / 1000 - noticesSeconds
  return items.filter(({ finished_at }) => finished_at > since).length
}

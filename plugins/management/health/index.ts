/** Health for those who watch the process from outside (API-1): live depends on nothing, ready on the database. */

import type { Answer, Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { healthy } from './responses.js'

export default function create({ services }: Kit<'database' | 'system'>): Management {
  const { database, system } = services
  let probing: Promise<void> | undefined

  /** One probe at a time, however many ask: a health check is no way to load the database. */
  function probe(): Promise<void> {
    probing ??= database.probe().finally(() => {
      probing = undefined
    })
    return probing
  }

  async function ready(): Promise<Answer> {
    if (!system.accepting()) return unavailable('shutting down')
    try {
      await probe()
      return well
    } catch {
      return unavailable('database connection failed')
    }
  }

  return {
    routes: {
      health: { response: healthy, failureStatuses: [503], handle: ready },
      live: { response: healthy, handle: () => well },
      ready: { response: healthy, failureStatuses: [503], handle: ready },
    },
  }
}

const well: Answer = {
  answer: true,
  status: 200,
  bare: { success: true, message: '', data: { status: 'ok' } },
}

function unavailable(message: string): Answer {
  return { answer: true, status: 503, bare: { success: false, message, data: null } }
}

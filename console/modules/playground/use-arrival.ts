/** What somebody brings along: a body from a trace, the model of a page, or the settings of a link. */
import { useRoute, useRouter } from 'vue-router'
import { takeHanded } from '../../ui/handed-request.js'
import type { Settings } from './settings.js'
import { useSharedSettings } from './use-shared-settings.js'

export function useArrival(change: (changed: Partial<Settings>) => void) {
  const route = useRoute()
  const router = useRouter()
  const body = takeHanded()
  const { model } = route.query
  if (body !== undefined) change({ byHand: true, body })
  else if (typeof model === 'string') {
    change({ byHand: false, columns: [{ id: '1', model }] })
    void router.replace({ query: {} })
  }
  useSharedSettings(change)
  return { hasBody: body !== undefined }
}

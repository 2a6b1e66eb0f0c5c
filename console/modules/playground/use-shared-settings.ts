/** A link with settings: offered to copy, and taken over from the address once the person has agreed. */
import { onMounted, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute, useRouter } from 'vue-router'
import { useConfirm } from '../../ui/use-confirm.js'
import type { Settings } from './settings.js'
import { readShared, type SharedSettings } from './shared-settings.js'

const excerptMax = 300

export function useSharedSettings(change: (changed: Partial<Settings>) => void): void {
  const route = useRoute()
  const router = useRouter()
  const { ask } = useConfirm()
  const { t } = useI18n()

  function textOf({ columns, system }: SharedSettings): string {
    const models = columns.map(({ model }) => model).filter(Boolean)
    const parts = [t('playground.sharedText', { models: models.join(', ') || '–' })]
    const excerpt = system.length > excerptMax ? `${system.slice(0, excerptMax)} …` : system
    if (excerpt !== '') parts.push(t('playground.sharedSystem', { text: excerpt }))
    return parts.join(' ')
  }

  function offer(): void {
    const shared = readShared(route.hash)
    if (shared === undefined) return
    void router.replace({ ...route, hash: '' })
    ask({
      title: t('playground.sharedTitle'),
      text: textOf(shared),
      verb: t('playground.sharedUse'),
      run: async () => change(shared),
    })
  }

  onMounted(offer)
  watch(() => route.hash, offer)
}

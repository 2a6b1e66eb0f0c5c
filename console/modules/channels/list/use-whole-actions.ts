/** What is done with all channels at once: tests, balances, models of upstreams, cleaning up. */
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { applyAllUpdates, type RunName } from '../../../api/channel-tests.js'
import { deleteDisabledChannels, rereadChannels } from '../../../api/channels.js'
import { useConfirm } from '../../../ui/use-confirm.js'
import { runNames, useRuns } from './use-runs.js'

export type WholeAction = RunName | 'applyAll' | 'reread' | 'removeDisabled'

export function useWholeActions(changed: () => Promise<void>) {
  const { t } = useI18n()
  const { ask, attempt } = useConfirm()
  const runs = useRuns(() => void changed())

  const wholeChoices = computed(() => [
    ...runNames.map((key) => entry(key, runs.busy.value.has(key))),
    { ...entry('applyAll'), apart: true },
    entry('reread'),
    { ...entry('removeDisabled'), apart: true, danger: true },
  ])

  function entry(key: WholeAction, disabled = false) {
    return { key, disabled, label: t(`channels.whole.${key}`) }
  }

  function applyAll(): void {
    ask({
      title: t('channels.updates.allTitle'),
      text: t('channels.updates.allText'),
      verb: t('channels.updates.apply'),
      done: t('channels.updates.allDone'),
      async run() {
        const { refused } = await applyAllUpdates()
        runs.done('updates')
        await changed()
        if (refused.length > 0) {
          throw new Error(t('channels.updates.refused', { ids: refused.join(', ') }))
        }
      },
    })
  }

  function removeDisabled(): void {
    ask({
      title: t('channels.removeDisabled.title'),
      text: t('channels.removeDisabled.text'),
      verb: t('channels.removeDisabled.verb'),
      done: t('channels.removeDisabled.done'),
      async run() {
        await deleteDisabledChannels()
        await changed()
      },
    })
  }

  async function reread(): Promise<void> {
    if (await attempt(rereadChannels, t('channels.whole.rereadDone'))) await changed()
  }

  function runWhole(action: WholeAction): void {
    if (action === 'applyAll') applyAll()
    else if (action === 'removeDisabled') removeDisabled()
    else if (action === 'reread') void reread()
    else void attempt(() => runs.start(action))
  }

  return { runs, wholeChoices, runWhole }
}

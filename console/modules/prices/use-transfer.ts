/** The list as a file, prices of a file as drafts, and the way back to the ratios the gateway came with. */
import { useQueryClient } from '@tanstack/vue-query'
import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { readPriceTexts, resetRatios } from '../../api/prices.js'
import { saveFile } from '../../ui/save-file.js'
import { useConfirm } from '../../ui/use-confirm.js'
import type { Difference } from './transfer/merge.js'
import { exportText } from './transfer/price-maps.js'
import { useDrafts } from './use-drafts.js'

export function useTransfer() {
  const { t } = useI18n()
  const queryClient = useQueryClient()
  const { ask, attempt } = useConfirm()
  const { put, remove } = useDrafts()
  const exporting = ref(false)

  async function exportAll(): Promise<void> {
    exporting.value = true
    await attempt(async () => {
      const day = new Date().toISOString().slice(0, 10)
      saveFile(`prices-${day}.json`, 'application/json', exportText(await readPriceTexts()))
    }, t('prices.exported'))
    exporting.value = false
  }

  function reset(): void {
    ask({
      title: t('prices.resetTitle'),
      text: t('prices.resetText'),
      verb: t('prices.resetVerb'),
      async run() {
        await resetRatios()
        await queryClient.invalidateQueries({ queryKey: ['prices'] })
        await queryClient.invalidateQueries({ queryKey: ['pricing'] })
      },
      done: t('prices.resetDone'),
    })
  }

  function take(differences: readonly Difference[]): void {
    for (const { model, before, after } of differences) {
      if (after === null) remove(model, before)
      else put(model, before, after)
    }
  }

  return { exporting, exportAll, reset, take }
}

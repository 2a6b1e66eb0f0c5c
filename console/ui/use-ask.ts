/** Asks before something that cannot be taken back, and tells how things went. */
import { useDialog, useMessage } from 'naive-ui'
import { h } from 'vue'
import { useI18n } from 'vue-i18n'
import { messageOf } from '../api/failure.js'

export interface Question {
  readonly title: string
  readonly text: string
  /** On the button that does it. */
  readonly verb: string
  readonly run: () => Promise<unknown>
  /** Said once it is done. */
  readonly done?: string
}

export function useAsk() {
  const dialog = useDialog()
  const message = useMessage()
  const { t } = useI18n()

  /** Runs it once the person has said yes; the question stays open where it fails. */
  function ask({ title, text, verb, run, done }: Question): void {
    const asked = dialog.warning({
      title: () => h('span', { onVnodeMounted: ({ el }) => nameDialog(el, title) }, title),
      content: text,
      positiveText: verb,
      negativeText: t('shell.cancel'),
      autoFocus: false,
      positiveButtonProps: { type: 'error' },
      async onPositiveClick() {
        asked.loading = true
        try {
          await run()
          if (done) message.success(done)
          return true
        } catch (error) {
          message.error(messageOf(error))
          return false
        } finally {
          asked.loading = false
        }
      },
    })
  }

  /** Runs something that needs no question, and tells of a failure. True: it went well. */
  async function attempt(run: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await run()
      if (done) message.success(done)
      return true
    } catch (error) {
      message.error(messageOf(error))
      return false
    }
  }

  return { ask, attempt }
}

/** The library renders it without a name. */
function nameDialog(within: unknown, title: string): void {
  if (within instanceof Element) within.closest('[role=dialog]')?.setAttribute('aria-label', title)
}

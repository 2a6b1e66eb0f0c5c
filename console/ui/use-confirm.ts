/** Asks for confirmation before something that cannot be undone, and shows the outcome. */
import { useDialog, useMessage } from 'naive-ui'
import { h, nextTick } from 'vue'
import { useI18n } from 'vue-i18n'
import { messageOf } from '../api/failure.js'

export interface Question {
  readonly title: string
  readonly text: string
  /** On the button that does it. */
  readonly verb: string
  readonly run: () => Promise<unknown>
  /** Shown once it is done. */
  readonly done?: string
}

export interface Choice {
  readonly title: string
  readonly text: string
  readonly verb: string
  /** On the button that leaves everything as it is. */
  readonly otherwise: string
}

export function useConfirm() {
  const dialog = useDialog()
  const message = useMessage()
  const { t } = useI18n()

  /** Runs it once confirmed; the dialog stays open where it fails. */
  function ask({ title, text, verb, run, done }: Question): void {
    const opened = dialog.warning({
      title: () => h('span', { onVnodeMounted: ({ el }) => enter(el, title) }, title),
      content: text,
      positiveText: verb,
      negativeText: t('shell.cancel'),
      autoFocus: false,
      onAfterLeave: wayBack(),
      positiveButtonProps: { type: 'error' },
      async onPositiveClick() {
        opened.loading = true
        try {
          await run()
          if (done) message.success(done)
          return true
        } catch (error) {
          message.error(messageOf(error))
          return false
        } finally {
          opened.loading = false
        }
      },
    })
  }

  /** Runs something that needs no confirmation, and shows a failure. True: it succeeded. */
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

  /** True: the person chose it. Whatever else ends the dialog is a no. */
  function decide({ title, text, verb, otherwise }: Choice): Promise<boolean> {
    let isChosen = false
    return new Promise((resolve) => {
      dialog.warning({
        title: () => h('span', { onVnodeMounted: ({ el }) => enter(el, title) }, title),
        content: text,
        positiveText: verb,
        negativeText: otherwise,
        autoFocus: false,
        positiveButtonProps: { type: 'error' },
        onPositiveClick() {
          isChosen = true
        },
        // The focus is back where it was by then.
        onAfterLeave: () => resolve(isChosen),
      })
    })
  }

  return { ask, attempt, decide }
}

/**
 * Named, since the library does not, and with the focus on the button that does nothing: left where it was, Enter would open
 * once more.
 */
async function enter(within: unknown, title: string): Promise<void> {
  if (!(within instanceof Element)) return
  await nextTick()
  const box = within.closest('[role=dialog]')
  box?.setAttribute('aria-label', title)
  box?.querySelector<HTMLElement>('.n-dialog__action button')?.focus()
}

/** The focus returns to where it was by itself; this is for when that is gone, as with the row that was deleted. */
function wayBack(): () => void {
  const around = document.activeElement?.closest<HTMLElement>('[role=region], [role=dialog]')
  return () => {
    if (document.activeElement !== document.body) return
    const near = around?.isConnected ? around : document.querySelector<HTMLElement>('#page h1')
    if (near == null) return
    if (!near.hasAttribute('tabindex')) near.tabIndex = -1
    near.focus({ preventScroll: true })
  }
}

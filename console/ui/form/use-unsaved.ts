/** Asks before somebody leaves a form with something typed and not saved. */
import { onMounted, onUnmounted } from 'vue'
import { useI18n } from 'vue-i18n'
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router'
import { useSession } from '../../shell/session.js'
import { useConfirm } from '../use-confirm.js'

const forms = new Set<() => boolean>()

export function isAnythingUnsaved(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved())
}

/** Returns what asks, for what closes a form without leaving the page. */
export function useUnsaved(isUnsaved: () => boolean): () => boolean | Promise<boolean> {
  const { t } = useI18n()
  const session = useSession()
  const { decide } = useConfirm()

  /** Where the window is closed or loaded anew, the browser asks in its own words. */
  function keep(event: BeforeUnloadEvent): void {
    if (isUnsaved()) event.preventDefault()
  }

  onMounted(() => {
    forms.add(isUnsaved)
    addEventListener('beforeunload', keep)
  })
  onUnmounted(() => {
    forms.delete(isUnsaved)
    removeEventListener('beforeunload', keep)
  })

  // Whose session has ended has nothing left to save it with.
  function mayGo(): boolean | Promise<boolean> {
    if (session.self === undefined || !isUnsaved()) return true
    return decide({
      title: t('shell.unsaved.title'),
      text: t('shell.unsaved.text'),
      verb: t('shell.unsaved.leave'),
      otherwise: t('shell.unsaved.stay'),
    })
  }

  onBeforeRouteLeave(mayGo)
  // Another of its kind, such as the next channel; what only filters a list leaves the form where it is.
  onBeforeRouteUpdate((to, from) => to.path === from.path || mayGo())
  return mayGo
}

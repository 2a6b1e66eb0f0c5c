/** Asks before somebody leaves a form with something typed and not saved. */
import { onMounted, onUnmounted } from 'vue'
import { useI18n } from 'vue-i18n'
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router'
import { useSession } from '../../shell/session.js'

export function useUnsaved(isUnsaved: () => boolean): void {
  const { t } = useI18n()
  const session = useSession()

  function keep(event: BeforeUnloadEvent): void {
    if (isUnsaved()) event.preventDefault()
  }

  onMounted(() => addEventListener('beforeunload', keep))
  onUnmounted(() => removeEventListener('beforeunload', keep))
  // Whose session has ended has nothing left to save it with.
  const mayGo = () => session.self === undefined || !isUnsaved() || confirm(t('shell.unsaved'))
  onBeforeRouteLeave(mayGo)
  // Another of its kind, such as the next channel; what only filters a list leaves the form where it is.
  onBeforeRouteUpdate((to, from) => to.path === from.path || mayGo())
}

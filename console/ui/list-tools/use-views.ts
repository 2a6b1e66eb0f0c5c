/** The saved views of one list and one person, as this browser keeps them; what another tab changes is seen. */
import { onScopeDispose, shallowRef } from 'vue'
import { onRemembered, recallJson, remember } from '../../shell/remembered.js'
import { useSession } from '../../shell/session.js'
import { nameFault, readViews, type View, type ViewFault, type Words } from './views.js'

export function useViews(list: string) {
  const place = `views.${list}.${useSession().self?.id ?? 0}`
  const views = shallowRef(read())
  onScopeDispose(onRemembered(place, refresh))

  function read(): readonly View[] {
    return readViews(recallJson(place))
  }

  function refresh(): void {
    views.value = read()
  }

  /** What cannot be kept is not shown either. */
  function put(next: readonly View[]): ViewFault | undefined {
    const before = views.value
    const isKept = remember(place, JSON.stringify(next))
    if (!isKept) remember(place, JSON.stringify(before))
    views.value = isKept ? next : before
    return isKept ? undefined : 'refused'
  }

  return {
    views,
    add(name: string, words: Words): ViewFault | undefined {
      refresh()
      return nameFault(views.value, name) ?? put([...views.value, { name, words }])
    },
    rename(own: string, name: string): ViewFault | undefined {
      refresh()
      const renamed = (one: View) => (one.name === own ? { ...one, name } : one)
      return nameFault(views.value, name, own) ?? put(views.value.map(renamed))
    },
    update(name: string, words: Words): ViewFault | undefined {
      refresh()
      return put(views.value.map((one) => (one.name === name ? { name, words } : one)))
    },
    remove(name: string): ViewFault | undefined {
      refresh()
      return put(views.value.filter((one) => one.name !== name))
    },
  }
}

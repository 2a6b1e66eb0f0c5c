/**
 * The form of a user while others may change them too: what is not touched here follows what they make of it, what is
 * edited is reported, and only changes are sent.
 */
import { computed, reactive, watch } from 'vue'
import { changeUser, type WholeUser } from '../../../api/users.js'
import { changedFields } from '../../../ui/form/changed-fields.js'
import { useForm } from '../../../ui/form/use-form.js'

export type Kept = Pick<WholeUser, 'username' | 'display_name' | 'group' | 'remark' | 'role'>

export function useUserEdit(user: () => WholeUser) {
  const asKept = () => ({ ...kept(user()), password: '' })
  const form = useForm({
    initial: asKept(),
    save: (values) => changeUser({ id: user().id, ...changedFields(asKept(), values) }),
  })
  /** What others made of fields that are touched here. */
  const meanwhile = reactive<Partial<Kept>>({})

  watch(user, (now, before) => {
    const { values } = form
    for (const name of Object.keys(changedFields(kept(before), kept(now))) as (keyof Kept)[]) {
      const theirs = { [name]: now[name] }
      if (values[name] === before[name]) Object.assign(values, theirs)
      else if (values[name] !== now[name]) Object.assign(meanwhile, theirs)
    }
  })

  return {
    ...form,
    meanwhile,
    changed: computed(() => Object.keys(changedFields(asKept(), form.values)).length > 0),
    /** Once it is saved and read again. */
    begin(): void {
      form.reset(asKept())
      for (const name of Object.keys(meanwhile)) delete meanwhile[name as keyof Kept]
    },
  }
}

function kept({ username, display_name, group, remark, role }: WholeUser): Kept {
  return { username, display_name, group, remark, role }
}

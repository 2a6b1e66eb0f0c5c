/** Actions on users from the table and from their page, with a confirmation where something is taken away. */
import { useQueryClient } from '@tanstack/vue-query'
import { useI18n } from 'vue-i18n'
import { actOnUser, type User, type UserAct } from '../../api/users.js'
import { useMoney } from '../../ui/money.js'
import { useConfirm } from '../../ui/use-confirm.js'

export function useUserActions() {
  const { t } = useI18n()
  const { money } = useMoney()
  const queryClient = useQueryClient()
  const { ask, attempt } = useConfirm()

  async function changed(): Promise<void> {
    await queryClient.invalidateQueries({ queryKey: ['users'] })
  }

  function factsOf(user: User) {
    return { name: user.username, balance: money(user.quota) }
  }

  /** Runs it and reads users again; `then` follows where it went well. */
  function act(action: UserAct, user: User, then?: () => unknown): void {
    const facts = factsOf(user)
    const done = t(`users.acts.${action}.done`, facts)
    async function run(): Promise<void> {
      await actOnUser(user.id, action)
      await changed()
      await then?.()
    }
    if (action === 'enable') {
      void attempt(run, done)
      return
    }
    ask({
      title: t(`users.acts.${action}.title`, facts),
      text: t(`users.acts.${action}.text`, facts),
      verb: t(`users.acts.${action}.verb`),
      run,
      done,
    })
  }

  return { act, changed }
}

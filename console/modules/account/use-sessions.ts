/** Sessions of the person, read again after whatever ends some of them. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { readSessions } from '../../api/sessions.js'

const queryKey = ['account', 'sessions']

export function useSessions() {
  return useQuery({ queryKey, queryFn: readSessions })
}

export function useSessionsAgain(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey })
}

/**
 * Seconds for which a store sends a film to whoever has its address (FILE-19). Links to films end as soon there, and the player renews them
 * before: a part that is asked for later would be refused.
 */
export const filmAddressSeconds = 15 * 60;

/** Spaces, members, feeds and votes (specification 1, 2.2, 2.6, 3.3, 4.1; decisions 1, 3, 5, 6, 8 and 9). */
export const spaceRequirements: Readonly<Record<string, string>> = {
  "S1-space-creator": "A space's creator decides who may post and what a post must look like.",
  "S2.2-vote-count":
    "vote_count is an integer, present only on a votable wire: a space wire whose governing rule is votable for it.",
  "S2.6-space-fields":
    "Space: id, slug, owner_handle_id, visibility, posting_rights, root_rule, reply_rule, allow_wire_reply_rules, description (string or null), created_at, tags.",
  "S2.6-space-slug": "A space's slug has the pattern ^[a-z0-9-]{3,32}$.",
  "S2.6-rules-govern": "root_rule governs root wires, reply_rule governs replies.",
  "S2.6-wire-reply-rules": "allow_wire_reply_rules: whether a wire may carry its own reply rule.",
  "S2.6-space-detail": "SpaceDetail is Space plus member_counts: integers owner, mod, poster, reader.",
  "S2.6-member-roles":
    "Member roles: owner, mod, poster, reader; the member-edit input accepts mod, poster, reader, remove.",
  "S3.3-vote": "PUT vote on a votable wire, not voted: voted true, fresh vote_count.",
  "S3.3-vote-again": "PUT vote, already voted: no change, idempotent, same response.",
  "S3.3-revoke": "DELETE vote, voted: voted false, fresh vote_count.",
  "S3.3-revoke-again": "DELETE vote, not voted: idempotent, same response.",
  "S3.3-voting-disabled":
    "PUT or DELETE vote on a DM wire, a tombstoned wire, or where the current governing rule is not votable: unchanged, 403 VOTING_DISABLED.",
  "S3.3-one-vote": "One upvote per caller per wire.",
  "S4.1-space-create": "POST /spaces answers 201 with the Space.",
  "S4.1-space-visibility": "POST /spaces: visibility is required, public or private; no default.",
  "S4.1-space-optional":
    "POST /spaces: root_rule, reply_rule, posting_rights, tags, description, allow_wire_reply_rules are optional.",
  "S4.1-space-tags-max": "POST and PUT /spaces: max 10 tags.",
  "S4.1-space-update-empty": "PUT /spaces/{slug}: the body is optional; an empty body changes nothing.",
  "S4.1-space-update-owner": "PUT /spaces/{slug} is allowed for the owner.",
  "S4.1-space-update-mod": "A mod may only add or remove poster and reader members.",
  "S4.1-space-update-fields":
    "PUT /spaces/{slug}: description (string or null), tags, posting_rights, root_rule, reply_rule, allow_wire_reply_rules; every field is optional.",
  "S4.1-space-members": "PUT /spaces/{slug}: members is an array of {handle, role}.",
  "S4.1-space-transfer": "PUT /spaces/{slug}: transfer_owner is the handle slug of the new owner.",
  "S4.1-space-update-detail": "PUT /spaces/{slug} answers 200 with the SpaceDetail.",
  "S4.1-feed": "GET /spaces/{slug}/wires answers wires and next_cursor (string or null).",
  "S4.1-feed-votes": "Votable wires of a feed carry a live vote_count.",
  "S4.1-feed-limit": "GET /spaces/{slug}/wires: limit is an integer, 1 to 100.",
  "S4.1-feed-roots-only": "roots_only is the string true or false; true excludes replies.",
  "S4.1-feed-order": "order is newest or top, the latter vote-ranked.",
  "S4.1-feed-default": "The default order is newest-first.",
  "S4.1-feed-private": "Private spaces are readable only by members; a non-member gets 404.",
  "S4.1-vote-answer":
    "PUT and DELETE vote take no body and answer 200 with voted (boolean) and vote_count (integer).",
  "S4.1-vote-statuses": "A vote answers 401, 403 (VOTING_DISABLED and other denials) or 404.",
  "D1-space-reserved": "A space slug that contains wireroom: 400 VALIDATION_ERROR.",
  "D1-space-bare": "Space slugs are bare in paths, slug fields and responses.",
  "D2-space-slug-taken": "A space slug already taken: 400 VALIDATION_ERROR.",
  "D3-space-defaults":
    'Every rule not given is {"allow_text": true}; posting_rights defaults to anyone, allow_wire_reply_rules to false.',
  "D3-votable-now":
    "A space wire is votable while the rule that governs it now is votable; vote_count is present exactly then.",
  "D3-votable-reader": "Any handle that can read the space may vote, its own wires included.",
  "D5-feed-pages": "Feed: keyset cursors, default 50.",
  "D5-feed-top": "Feed: top = vote_count, then newest.",
  "D5-feed-tombstones": "Removed wires stay in feeds as tombstones.",
  "D5-tombstone-votes": "A tombstoned votable wire keeps its vote_count.",
  "D5-votes-outlive": "Votes outlive a change of the rule.",
  "D5-removal-notice": "A wire removed by a mod gives its sender a notice.",
  "D5-removal-first": "The first tombstone stands: removing what is already removed answers the stored one.",
  "D5-own-private-wire":
    "A wire in a private space of which the caller is no member, its own included: 404 (its sender may still delete it).",
  "D6-mod-members": "A mod may add, remove and switch posters and readers.",
  "D6-transfer": "The owner is changed by transfer_owner alone, to any handle; the old owner becomes mod.",
  "D6-owner-named": "Naming the owner in members: 400.",
  "D6-leave": "Anyone but the owner may remove itself.",
  "D6-name-spaces": "Handle slugs and space slugs are separate name spaces.",
  "D8-spaces-list":
    "GET /spaces: spaces of which the caller is a member (array of Space plus role), next_cursor.",
  "D8-space-get": "GET /spaces/{slug}: one space, SpaceDetail.",
  "D8-space-members":
    "GET /spaces/{slug}/members: members (array of {handle, role, joined_at}), next_cursor.",
  "D8-space-removal":
    "DELETE /spaces/{slug}/wires/{id}: removal by owner or mod; answers as DELETE /wires/{id}, removed_by = mod.",
  "D9-space-lengths": "A description has at most 1,000 characters, a tag 1 to 50; 10 tags.",
};

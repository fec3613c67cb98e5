-- Rollups of quarters of an hour, between minutes and hours: hours and days of time zones that are half or three quarters of an hour off begin and end with them.
alter table analytics_blocks drop constraint analytics_blocks_grain_check,
  add constraint analytics_blocks_grain_check check (grain in ('minute', 'quarter', 'hour', 'day'));
alter table analytics_unmerged drop constraint analytics_unmerged_grain_check,
  add constraint analytics_unmerged_grain_check check (grain in ('quarter', 'hour', 'day'));

-- Those of what was counted before are still to be merged; until then their minutes are read.
insert into analytics_unmerged (organization, environment, family, grain, bucket)
select distinct organization, environment, family, 'quarter', bucket - bucket % 15 from analytics_blocks where grain = 'minute';

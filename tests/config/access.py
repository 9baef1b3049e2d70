"""Tables of the expected answer of each address to each role, read by addresses.py.

A cell is a status, or an arrow and the name of the address that a redirect leads to. A method
that has no row of its own is answered 405.
"""

# `active` work has no answer and no text yet, `complete` work can be handed in. Nobody took the
# place of `expired` work, somebody that of `late` work. What is sent is in test_access.py.
ANY_KIND = """
                    arrived        active         complete       submitted  accepted  rejected  returned  expired     late   withdrawn
GET   work          200            →kind:work     →kind:work     →done      →done     →done     →done     →kind:work  410    →done
POST  consent       →instructions  →instructions  →instructions  410        410       410       410       410         410    410
GET   screening     →work          →work          →work          →work     →work     →work     →work     →work       410    →work
POST  screening     →work          →work          →work          →work     →work     →work     →work     →work       410    →work
GET   instructions  →work          200            200            →work      →work     →work     →work     →work       →work  →work
GET   return_task   200            200            200            410        410       410       →done     410         410    410
POST  return_task   →done          →done          →done          410        410       410       →done     410         410    410
GET   withdraw      200            200            200            200        200       200       200       200         200    →done
POST  withdraw      →done          →done          →done          →done      →done     →done     →done     →done       →done  →done
GET   receipt       200            200            200            200        200       200       200       200         200    200
GET   image         →work          404            404            →work      →work     →work     →work     →work       →work  →work
GET   done          →work          →work          →work          200        200       200       200       200         200    200
POST  next_task     →work          →work          →work          →work      →work     →work     →work     →work       →work  →work
"""  # noqa: E501 - a table
JUDGING = """
                       arrived  active         complete         submitted  accepted  rejected  returned  expired  late   withdrawn
GET   judging:work     →work    →judging:item  →judging:finish  →work      →work     →work     →work     →work    →work  →work
GET   judging:item     →work    200            200              →work      →work     →work     →work     →work    →work  →work
GET   judging:following  →work  200            200              →work      →work     →work     →work     →work    →work  →work
GET   judging:feedback  →work   →judging:work  →judging:work    →work      →work     →work     →work     →work    →work  →work
POST  judging:here     410      200            200              410        410       410       410       200      410    410
POST  judging:answers  410      200            200              410        410       410       410       200      410    410
GET   judging:finish   →work    200            200              →work      →work     →work     →work     →work    →work  →work
POST  judging:finish   →work    422            →done            →work      →work     →work     →work     →work    →work  →work
GET   judging:recording  →work  →work  →work  →work  →work  →work  →work  →work  →work  →work
POST  judging:recording  404    404    404    404    404    404    404    404    404    404
POST  judging:fill_rest  →work  404            404              →work      →work     →work     →work     →work    →work  →work
"""  # noqa: E501
WRITING = """
                      arrived  active          complete        submitted  accepted  rejected  returned  expired  late   withdrawn
GET   writing:work    →work    →writing:entry  →writing:write  →work      →work     →work     →work     →work    →work  →work
GET   writing:entry   →work    200             200             →work      →work     →work     →work     →work    →work  →work
POST  writing:entry   →work    →writing:write  →writing:write  →work      →work     →work     →work     →work    →work  →work
GET   writing:write   →work    →writing:entry  200             →work      →work     →work     →work     →work    →work  →work
POST  writing:here    410      409             200             410        410       410       410       409      410    410
POST  writing:turn    410      200             200             410        410       410       410       200      410    410
POST  writing:log     410      200             200             410        410       410       410       200      410    410
POST  writing:rest    →work    404             404             →work      →work     →work     →work     →work    →work  →work
GET   writing:finish  →work    →writing:entry  200             →work      →work     →work     →work     →work    →work  →work
POST  writing:finish  →work    →writing:entry  →done           →work      →work     →work     →work     →work    →work  →work
"""  # noqa: E501
# What a role lets somebody do with a study or a corpus. An administrator is an owner of all, for a
# stranger there is nothing.
RIGHTS = """
            view  review  edit  run  export  manage
owner       yes   yes     yes   yes  yes     yes
researcher  yes   yes     yes   yes  yes     no
reviewer    yes   yes     no    no   no      no
viewer      yes   no      no    no   no      no
"""
# What an address of the console asks for, and what somebody gets who may do it: on a judging study
# with work handed in and nothing analysed, on such a writing study. From this table and the one
# above `granted` works out what everybody else gets; `nothing` is asked by addresses that belong to
# no study, and what is to `administer` is there for administrators alone.
CONSOLE = """
                        may      judging    writing
GET   api_schema        nothing  200        200
GET   api_corpora       nothing  200        200
GET   api_corpus        view     200        200
GET   api_corpus_topics  view    200        200
GET   api_corpus_labels  view    200        200
GET   api_corpus_responses  view  200       200
GET   api_corpus_official_orders  view  200        200
POST  api_corpus_official_orders  edit  400        400
GET   api_corpus_rounds  view    200        200
GET   api_corpus_proposals  view  200       200
POST  api_corpus_proposals  edit  400       400
GET   api_corpus_banks  view     200        200
POST  api_corpus_banks  edit     400        400
GET   api_corpus_bank_entries  view     404        404
POST  api_corpus_bank_entries  edit     404        404
GET   api_corpus_bank_rounds  view    404        404
POST  api_corpus_bank_rounds  run     404        404
GET   api_corpus_bank_round   view    404        404
POST  api_corpus_bank_round   run     404        404
GET   api_corpus_bank_file  export   404        404
GET   api_corpus_bank_board  view    404        404
GET   api_corpus_bank_graders  view   404       404
POST  api_corpus_bank_graders  run    404       404
GET   api_corpus_bank_agreement  view  404      404
GET   api_corpus_bank_grades  export   404      404
GET   api_corpus_bank_impact  view   404        404
GET   api_corpus_bank_assignments  export  404  404
GET   api_uploads       nothing  200        200
POST  api_uploads       nothing  400        400
GET   api_upload        nothing  404        404
POST  api_upload_files  nothing  404        404
POST  api_upload_file   nothing  404        404
POST  api_remove_file   nothing  404        404
POST  api_check_upload  nothing  404        404
POST  api_import_upload  nothing  404       404
POST  api_discard_upload  nothing  404      404
GET   api_methods       nothing  200        200
GET   api_drafts        nothing  200        200
POST  api_drafts        nothing  201        201
GET   api_draft         view     200        200
POST  api_draft_changes  edit    400        400
POST  api_draft_launch  run      400        400
GET   api_studies       nothing  200        200
GET   api_study         view     200        200
GET   api_open_batch    view     409        409
POST  api_open_batch    run      409        409
GET   api_terms_batch   view     409        409
POST  api_terms_batch   run      409        409
GET   api_pause_batch   view     200        200
POST  api_pause_batch   run      200        200
GET   api_resume_batch  view     409        409
POST  api_resume_batch  run      409        409
GET   api_extend_batch  view     200        200
POST  api_extend_batch  run      200        200
GET   api_close_batch   view     200        200
POST  api_close_batch   run      200        200
GET   api_repeat_batch  view     409        409
POST  api_repeat_batch  run      409        409
GET   api_topics_batch  view     409        409
POST  api_topics_batch  run      409        409
GET   api_undecided_batch  view  409        409
POST  api_undecided_batch  run   409        409
GET   api_unknown_batch  view    409        409
POST  api_unknown_batch  run     409        409
GET   api_findings      view     404        404
GET   api_runs          view     200        200
POST  api_runs          run      202        202
GET   api_analysis_settings  view  200       200
POST  api_analysis_settings  run   400       400
GET   api_exports       view     200        200
GET   api_export        export   200        200
GET   api_raters        view     200        404
POST  api_labels        run      415        404
GET   api_authors       view     404        200
POST  api_authors       run      404        400
GET   api_author        view     404        404
POST  api_author        run      404        404
GET   api_keys          nothing  200        200
POST  api_keys          nothing  200        200
POST  revoke_api_key    nothing  404        404
GET   results           view     200        200
GET   results_part      view     200        200
GET   judges            view     200        200
GET   vote_plans        view     200        404
GET   papers            nothing  200        200
POST  papers            nothing  422        422
GET   results_rows      view     404        404
GET   results_table     view     404        404
GET   results_plot      view     404        404
GET   worker_list       view     200        200
GET   worker_page       view     200        200
GET   erase_worker      manage   200        200
POST  erase_worker      manage   422        422
GET   api_erase_worker  manage   200        200
POST  api_erase_worker  manage   400        400
GET   work_list         view     200        200
GET   task_list         view     200        200
GET   place_list        view     200        200
GET   assignment_page   view     200        200
GET   topic_list        view     200        200
GET   topic_page        view     200        200
GET   item_list         view     200        404
GET   item_page         view     200        404
GET   response_list     view     200        200
GET   response_page     view     200        404
GET   vote_list         view     200        404
GET   comment_list      view     200        404
GET   sessions          review   200        200
POST  sessions          review   404        404
GET   session           review   404        404
POST  session           review   404        404
GET   session_recording  review  404        404
POST  session_recording  review  404        404
GET   api_sessions      review   200        200
POST  api_sessions      review   400        400
GET   api_session       review   404        404
POST  api_session       review   404        404
GET   codings           view     200        200
POST  codings           edit     422        422
POST  codebook_new      edit     422        422
GET   codebook_file     export   404        404
GET   coding            view     404        404
GET   code_unit         review   404        404
POST  code_unit         review   404        404
POST  coding_act        edit     404        404
POST  mark_passage      review   404        404
GET   reconcile_coding  review   404        404
POST  reconcile_coding  review   404        404
GET   coder_new         run    404        404
POST  coder_new         run    404        404
GET   coder             view   404        404
POST  coder_act         run    404        404
GET   api_coders        view   404        404
POST  api_coders        run    404        404
GET   api_coder         view   404        404
POST  api_coder         run    404        404
GET   api_codebooks     view     200        200
POST  api_codebooks     edit     400        400
GET   api_codebook_file  export  404        404
GET   reason_list       view     200        404
GET   form_comment_list  view    200        200
GET   submission_list   view     200        200
GET   call_list         view     200        404
GET   entry_list        view     200        200
GET   analysis_settings  run     200        200
POST  analysis_settings  run     →analysis_settings  →analysis_settings
POST  analyse           run      →results   →results
POST  cancel_analysis   run      →results   →results
GET   exports           export   200        200
GET   export_progress   export   200        200
GET   export            export   200        200
GET   studies           nothing  200        200
GET   search            nothing  200        200
GET   study             view     200        200
GET   recruit           view     200        200
GET   sample            view     200        200
POST  sample            run      422        422
GET   sample_csv        export   200        200
GET   study_data        view     200        200
POST  study_data        run      →study_data  →study_data
POST  forget_ids        manage   409        409
GET   batch_act         view     200        200
POST  batch_act         run      422        422
GET   at_prolific       view     404        404
POST  act_at_prolific   run      404        404
GET   contact_participant  run   404        404
POST  contact_participant  run   404        404
GET   qualifications    view     200        200
POST  give_qualification  run    →qualifications  →qualifications
GET   held_up           view     200        200
POST  let_in            run      →held_up   →held_up
POST  leave_held_up     run      →held_up   →held_up
GET   money             view     200        200
GET   money_statement   export   200        200
GET   contracts         run      404        404
POST  contracts         run      404        404
POST  contract_change   run      404        404
GET   money_order       view     200        200
POST  money_order       run      409        409
GET   money_bonus       run      200        200
POST  money_bonus       run      422        422
GET   money_reject      run      409        409
POST  money_reject      run      422        422
POST  money_budget      run      →money     →money
POST  money_say         run      404        404
GET   study_document    view     200        200
GET   study_design      view     200        200
GET   study_design_section  view  200       200
GET   study_page        view     200        200
POST  new_version       edit     →draft     →draft
GET   instruments       nothing  200        200
GET   method_page       nothing  200        200
GET   old_instruments   nothing  →instruments  →instruments
POST  begin_draft       nothing  404        404
POST  bring_draft       nothing  →instruments  →instruments
GET   draft             view     →draft_section  →draft_section
GET   draft_section     view     200        200
POST  draft_section     edit     →draft_section  →draft_section
GET   draft_launch      view     200        200
POST  draft_launch      run      409        409
GET   draft_delete      manage   200        200
POST  draft_delete      manage   422        422
POST  draft_restore     manage   404        404
GET   draft_document    view     200        200
GET   draft_changes     view     200        200
POST  draft_undo        edit     →draft_section  →draft_section
GET   draft_pick_item   edit     →draft_section  →draft_section
POST  draft_pick_item   edit     →draft_section  →draft_section
GET   draft_topics      edit     200        200
POST  draft_topics      edit     →draft_section  →draft_section
POST  draft_redo        edit     →draft_section  →draft_section
POST  draft_here        view     200        200
POST  draft_as_read     view     200        200
GET   draft_page        view     200        200
GET   draft_try         view     200        200
POST  draft_try         edit     →draft_try  →draft_try
POST  draft_try_variant  edit    →draft_try  →draft_try
POST  draft_try_end     edit     →draft_try  →draft_try
GET   draft_plan        view     200        200
GET   draft_check       view     200        200
GET   draft_certainty   view     200        200
GET   draft_plan_methods  view   200        200
POST  draft_simulate    edit     422        422
POST  draft_simulate_end  edit   →draft_try  →draft_try
GET   corpora           nothing  200        200
GET   corpus            view     200        200
GET   corpus_part       view     200        200
GET   corpus_topic      view     200        200
GET   corpus_response   view     200        404
GET   corpus_image      view     404        404
GET   study_image       view     404        404
GET   corpus_settings   edit     200        200
POST  corpus_settings   edit     →corpus_settings  →corpus_settings
GET   fuse_corpus_rankings  edit     200        200
POST  fuse_corpus_rankings  edit     400        400
GET   corpus_official_orders   view     200        200
POST  corpus_official_orders   edit     400        400
POST  delete_corpus_official_order  edit  →corpus_official_orders  →corpus_official_orders
POST  delete_corpus     manage   400        400
POST  bring_back_corpus  manage  →corpus    →corpus
GET   corpus_queries    view     200        200
GET   corpus_queries_new  run    200        200
POST  corpus_queries_new  run    422        422
GET   corpus_query_review  view  200        200
POST  corpus_query_decide  edit  →corpus_query_review  →corpus_query_review
GET   corpus_queries_csv  export  200       200
GET   corpus_queries_jsonl  export  200     200
GET   corpus_query_round  view   404        404
POST  corpus_query_act  run      404        404
GET   corpus_banks      view     200        200
POST  corpus_banks      edit     422        422
GET   corpus_entry_new  edit     200        200
POST  corpus_entry_new  edit     422        422
GET   corpus_bank       view     404        404
GET   corpus_bank_oversight  view  404      404
GET   corpus_bank_grid  view     404        404
GET   corpus_bank_grid_block  view  404     404
GET   corpus_bank_grid_cell  view  404      404
POST  corpus_bank_act   edit     404        404
POST  corpus_bank_study  edit   404        404
POST  corpus_bank_delete  manage  404       404
GET   corpus_bank_entry  view    404        404
GET   corpus_bank_board  view    404        404
GET   corpus_bank_impact  edit   404        404
POST  corpus_bank_impact  edit   404        404
GET   corpus_bank_round_new  run  404       404
POST  corpus_bank_round_new  run  404       404
GET   corpus_bank_round  view    404        404
POST  corpus_bank_round_act  run  404       404
GET   people            nothing  200        200
GET   all_qualifications  nothing  200      200
GET   team              view     200        200
POST  team_change       manage   →team      →team
POST  team_invite       manage   →team      →team
POST  team_revoke       manage   →team      →team
GET   audit             view     200        200
GET   new_upload        nothing  200        200
GET   upload_sample     nothing  404        404
POST  new_upload        nothing  →upload    →upload
GET   may_send          nothing  204        204
POST  example_corpus    nothing  →corpus    →corpus
GET   upload            nothing  404        404
POST  upload_files      nothing  404        404
POST  change_upload     nothing  404        404
GET   upload_faults     nothing  404        404
GET   judged            view     →review    →review
GET   raters            view     200        404
POST  change_raters     manage   →raters    404
GET   bring_labels      run      200        404
POST  bring_labels      run      422        404
GET   label_upload      run      404        404
POST  label_upload      run      404        404
GET   machines          view     200        404
GET   machine_new       run      200        404
POST  machine_new       run      422        404
GET   machine           view     404        404
POST  machine_act       run      404        404
GET   authors           view     404        200
GET   author_new        run      404        200
POST  author_new        run      404        422
GET   author            view     404        404
POST  author_act        run      404        404
GET   review            view     200        200
GET   review_panel      view     200        200
POST  review_together   review   200        200
POST  review_undo       review   404        404
POST  review_view       view     →review    →review
GET   review_backup     review   404        200
POST  review_backup     review   404        422
GET   review_logs       export   404        200
GET   review_work       view     404        200
GET   review_playback   view     404        409
GET   review_evidence   view     404        200
POST  review_decide     review   404        →review
GET   account           nothing  200        200
POST  account           nothing  →account   →account
GET   password          nothing  200        200
POST  password          nothing  200        200
POST  end_sessions      nothing  →account   →account
GET   person            administer  200        200
GET   server_status     administer  200        200
POST  person_activate   administer  →person    →person
POST  person_reset      administer  →person    →person
GET   prolific_webhooks   administer  200        200
POST  prolific_webhooks   administer  422        422
GET   two_step          nothing  200        200
POST  two_step_prepare  nothing  →two_step  →two_step
POST  two_step_on       nothing  →two_step  →two_step
POST  two_step_off      nothing  →two_step  →two_step
"""
# What is there for everybody, logged in or not. Tests have no documentation site (help) built.
PUBLIC = """
                  judging  writing  unknown
GET   arrive      200      200      410
POST  arrive      200      200      410
POST  prolific_webhook  404  404    404
GET   invitation  410      410      410
POST  invitation  410      410      410
GET   set_up      →login   →login   →login
POST  set_up      →login   →login   →login
GET   forgotten   200      200      200
POST  forgotten   →forgotten  →forgotten  →forgotten
GET   new_password  200      200      200
POST  new_password  200      200      200
GET   login       200      200      200
POST  login       200      200      200
GET   login_code  →login   →login   →login
POST  login_code  →login   →login   →login
POST  logout      →login   →login   →login
GET   help        404      404      404
GET   alive       204      204      204
GET   ready       503      503      503
GET   metrics     404      404      404
GET   help_page   404      404      404
"""
# Who follows the link of a study on Prolific and names Bob, who has this work there: with the same
# submission, with another one in the same browser, with nothing but his id. They look (GET) or
# agree (POST) and are asked (200), told why not, or led to Bob's work or to other, new work.
ARRIVALS = """
                     arrived  active  submitted  rejected  returned  expired  withdrawn
GET   submission     →bobs    →bobs   200        200       200       200      410
POST  submission     →bobs    →bobs   →new       →new      →new      →bobs    410
GET   browser        →bobs    →bobs   200        200       200       200      410
POST  browser        →bobs    →bobs   →new       →new      →new      →bobs    410
GET   id             409      409     200        200       200       200      200
POST  id             409      409     →new       →new      →new      →new     →new
"""
